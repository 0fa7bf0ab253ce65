import CSQLite
import Foundation
import Synchronization

/// SQLite's interface to ``SimulatedDisk`` (sqlite.org/vfs.html). It is the default file system of the process, and leaves paths
/// outside its directories to the one before.
enum SimulatedVFS {
  private struct State: @unchecked Sendable {
    /// The disk of each directory, with the life of the process that uses it.
    var disks: [String: (disk: SimulatedDisk, life: Int)] = [:]
    /// Fills the salts of write-ahead logs, so that a run repeats.
    var random: UInt64 = 1
    var vfs: UnsafeMutablePointer<sqlite3_vfs>?
    var other: UnsafeMutablePointer<sqlite3_vfs>?
  }

  private static let state = Mutex(State())

  /// Keeps a directory's files on a disk, until ``remove(_:)``.
  static func add(_ directory: String, on disk: SimulatedDisk) {
    state.withLock { state in
      if state.vfs == nil { register(&state) }
      state.disks[directory] = (disk, disk.life)
    }
  }

  static func remove(_ directory: String) { state.withLock { _ = $0.disks.removeValue(forKey: directory) } }

  /// Restarts SQLite's random numbers.
  static func restart(seed: UInt64) {
    state.withLock { $0.random = seed }
    sqlite3_randomness(0, nil)
  }

  private static var other: UnsafeMutablePointer<sqlite3_vfs> { state.withLock { $0.other! } }

  private typealias Place = (disk: SimulatedDisk, name: String, life: Int)

  /// Returns the disk of a path and the name there.
  private static func find(_ path: UnsafePointer<CChar>?) -> Place? {
    guard let path else { return nil }
    let text = String(cString: path)
    guard let slash = text.lastIndex(of: "/") else { return nil }
    return state.withLock { state in
      state.disks[String(text[..<slash])].map { ($0.disk, String(text[text.index(after: slash)...]), $0.life) }
    }
  }

  private static func register(_ state: inout State) {
    guard let other = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no file system") }
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: other.pointee)
    vfs.pointee.zName = UnsafePointer(strdup("simulated"))
    vfs.pointee.szOsFile = max(vfs.pointee.szOsFile, CInt(MemoryLayout<OpenFile>.size))
    vfs.pointee.pNext = nil
    vfs.pointee.xOpen = { _, path, file, flags, outFlags in
      let other = SimulatedVFS.other
      guard let path, let place = SimulatedVFS.find(path) else {
        return other.pointee.xOpen(other, path, file, flags, outFlags)
      }
      return SimulatedVFS.open(place, file!, flags, outFlags)
    }
    vfs.pointee.xDelete = { _, path, isSynced in
      let other = SimulatedVFS.other
      guard let (disk, name, life) = SimulatedVFS.find(path) else { return other.pointee.xDelete(other, path, isSynced) }
      if let failure = disk.begin(.delete, life: life) { return failure.code }
      disk.remove(name, isSynced: isSynced != 0)
      return SQLITE_OK
    }
    vfs.pointee.xAccess = { _, path, flags, result in
      let other = SimulatedVFS.other
      guard let (disk, name, _) = SimulatedVFS.find(path) else { return other.pointee.xAccess(other, path, flags, result) }
      result!.pointee = disk.files[name] == nil ? 0 : 1
      return SQLITE_OK
    }
    vfs.pointee.xFullPathname = { _, path, size, out in
      let other = SimulatedVFS.other
      guard SimulatedVFS.find(path) != nil, strlen(path!) < size else {
        return other.pointee.xFullPathname(other, path, size, out)
      }
      strcpy(out!, path!)
      return SQLITE_OK
    }
    vfs.pointee.xRandomness = { _, size, out in
      SimulatedVFS.state.withLock { state in
        for index in 0..<Int(size) {
          state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          out![index] = CChar(truncatingIfNeeded: state.random >> 33)
        }
      }
      return size
    }
    // Nothing else runs meanwhile, so that a wait would not end anything.
    vfs.pointee.xSleep = { _, microseconds in microseconds }
    (state.vfs, state.other) = (vfs, other)
    sqlite3_vfs_register(vfs, 1)
  }

  // MARK: Files

  /// An open file, as SQLite lays it out.
  private struct OpenFile {
    var base: sqlite3_file
    var handle: Unmanaged<Handle>
  }

  private final class Handle {
    let disk: SimulatedDisk
    let name: String
    let life: Int
    let number: Int
    /// Kept for as long as SQLite has their addresses, even after a crash.
    var regions: [SharedMemory.Region] = []
    private let isTemporary: Bool

    init(_ place: Place, isTemporary: Bool) {
      (disk, name, life) = place
      self.isTemporary = isTemporary
      number = numbers.withLock { number in
        number += 1
        return number
      }
    }

    /// Whether the file still belongs to the process that opened it.
    var isAlive: Bool { life == disk.life }

    func close() {
      guard isAlive else { return }
      disk.files[name]?.locks.unlock(SQLITE_LOCK_NONE, number)
      disk.files[name]?.sharedMemory.leave(number)
      if isTemporary { disk.remove(name, isSynced: false) }
    }
  }

  private static let numbers = Mutex(0)

  private static func open(
    _ place: Place, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: CInt,
    _ outFlags: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    file.pointee.pMethods = nil
    let (disk, name, life) = place
    if disk.begin(.open, life: life) != nil { return SQLITE_CANTOPEN }
    if disk.files[name] == nil {
      guard flags & SQLITE_OPEN_CREATE != 0 else { return SQLITE_CANTOPEN }
      disk.files[name] = SimulatedDisk.File()
    }
    let handle = Handle(place, isTemporary: flags & SQLITE_OPEN_DELETEONCLOSE != 0)
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).pointee.handle = .passRetained(handle)
    file.pointee.pMethods = methods.pointer
    outFlags?.pointee = flags
    return SQLITE_OK
  }

  private static func handle(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Handle {
    UnsafeMutableRawPointer(file!).assumingMemoryBound(to: OpenFile.self).pointee.handle.takeUnretainedValue()
  }

  private struct Methods: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_io_methods>
  }

  private static let methods: Methods = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { file in
      handle(file).close()
      UnsafeMutableRawPointer(file!).assumingMemoryBound(to: OpenFile.self).pointee.handle.release()
      file!.pointee.pMethods = nil
      return SQLITE_OK
    }
    methods.xRead = { file, bytes, count, offset in
      let (handle, count, offset) = (handle(file), Int(count), Int(offset))
      if let failure = handle.disk.begin(.read, life: handle.life) { return failure.code }
      let content = handle.disk.files[handle.name]?.content ?? []
      let there = max(0, min(count, content.count - offset))
      content.withUnsafeBytes { if there > 0 { bytes!.copyMemory(from: $0.baseAddress! + offset, byteCount: there) } }
      memset(bytes! + there, 0, count - there)
      return there == count ? SQLITE_OK : SQLITE_IOERR | (2 << 8)
    }
    methods.xWrite = { file, bytes, count, offset in
      let handle = handle(file)
      let all = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      if let failure = handle.disk.begin(.write, life: handle.life) {
        if failure.isShort, handle.isAlive {
          handle.disk.write(Array(all.prefix(all.count / 2)), at: Int(offset), to: handle.name)
        }
        return failure.code
      }
      handle.disk.write(all, at: Int(offset), to: handle.name)
      return SQLITE_OK
    }
    methods.xTruncate = { file, size in
      let handle = handle(file)
      if let failure = handle.disk.begin(.truncate, life: handle.life) { return failure.code }
      handle.disk.truncate(handle.name, to: Int(size))
      return SQLITE_OK
    }
    methods.xSync = { file, _ in
      let handle = handle(file)
      if let failure = handle.disk.begin(.sync, life: handle.life) { return failure.code }
      handle.disk.sync(handle.name)
      return SQLITE_OK
    }
    methods.xFileSize = { file, size in
      let handle = handle(file)
      guard handle.isAlive else { return SQLITE_IOERR }
      size!.pointee = sqlite3_int64(handle.disk.files[handle.name]?.content.count ?? 0)
      return SQLITE_OK
    }
    methods.xLock = { file, level in
      let handle = handle(file)
      guard handle.isAlive else { return SQLITE_IOERR }
      return handle.disk.files[handle.name]?.locks.lock(level, handle.number) ?? SQLITE_IOERR
    }
    methods.xUnlock = { file, level in
      let handle = handle(file)
      if handle.isAlive { handle.disk.files[handle.name]?.locks.unlock(level, handle.number) }
      return SQLITE_OK
    }
    methods.xCheckReservedLock = { file, result in
      let handle = handle(file)
      result!.pointee = handle.isAlive && handle.disk.files[handle.name]?.locks.isReserved == true ? 1 : 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 4096 }
    // As on Unix: a write changes no byte beside it, so that SQLite does not fill sectors up.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    methods.xShmMap = { file, region, size, mustExtend, out in
      let handle = handle(file)
      out!.pointee = nil
      guard handle.isAlive, handle.disk.files[handle.name] != nil else { return SQLITE_IOERR }
      while handle.disk.files[handle.name]!.sharedMemory.regions.count <= Int(region) {
        guard mustExtend != 0 else { return SQLITE_OK }
        handle.disk.files[handle.name]!.sharedMemory.regions.append(SharedMemory.Region(size: Int(size)))
      }
      handle.regions = handle.disk.files[handle.name]!.sharedMemory.regions
      out!.pointee = handle.regions[Int(region)].bytes
      return SQLITE_OK
    }
    methods.xShmLock = { file, slot, count, flags in
      let handle = handle(file)
      guard handle.isAlive else { return SQLITE_IOERR }
      return handle.disk.files[handle.name]?.sharedMemory.lock(Int(slot)..<Int(slot + count), flags: flags, handle.number)
        ?? SQLITE_IOERR
    }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, mustDelete in
      let handle = handle(file)
      guard handle.isAlive else { return SQLITE_OK }
      handle.disk.files[handle.name]?.sharedMemory.leave(handle.number)
      if mustDelete != 0 { handle.disk.files[handle.name]?.sharedMemory = SharedMemory() }
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: methods)
    return Methods(pointer: pointer)
  }()
}
