import CSQLite
import Foundation
import TestSupport

/// A directory in memory, with what of it survives.
///
/// Writes are kept by a crash of the process. A crash of the machine tears unsynced writes at sectors and keeps or loses each
/// sector, in any order; what was synced before stays. All names of a file in any directory of ``SimulatedVFS`` with the same last
/// component are the same file, so that a restarted daemon can use another directory than its predecessor, which may still hold locks.
final class SimulatedDisk: @unchecked Sendable {
  struct File {
    fileprivate(set) var content: [UInt8] = []
    /// The size at the last sync, and the sectors then that were changed since.
    fileprivate var syncedSize = 0
    fileprivate var synced: [Int: [UInt8]] = [:]
    /// Whether the directory has its name even after a crash of the machine.
    var hasSyncedName = false
    var locks = FileLocks()
    var sharedMemory = SharedMemory()
  }

  enum Operation: Sendable { case open, read, write, sync, truncate, delete }

  /// What the next operations do.
  struct Fault: Sendable {
    /// The operations that count; all if empty.
    var operations: Set<Operation> = []
    /// The number of operations before the first that fails.
    var after: Int
    /// The number of operations that fail; the machine or process crashes at the first if `nil`.
    var count: Int?
    var code = SQLITE_IOERR
    /// Whether half of a failing write is stored.
    var isShort = false
    /// The number of operations between the last that fails and a crash; `nil` for no crash.
    var crashesAfter: Int?
  }

  fileprivate static let sector = 512
  static let full = SQLITE_FULL

  var files: [String: File] = [:]
  /// The files whose removal a crash of the machine may undo.
  private var removed: [String: File] = [:]
  var fault: Fault?
  /// The number of operations so far.
  private(set) var operationCount = 0
  /// Increases with each crash. Handles of earlier lives fail.
  private(set) var life = 0
  /// Whether an operation has hit a fault that crashes; every later operation of this life fails.
  private(set) var hasCrashed = false { didSet { if hasCrashed { crashed?() } } }
  /// Called at once when an operation crashes.
  var crashed: (() -> Void)?

  /// Counts an operation. Returns the error that it must report, and whether half of it happens anyway.
  func begin(_ operation: Operation, life: Int) -> (code: CInt, isShort: Bool)? {
    guard life == self.life, !hasCrashed else { return (SQLITE_IOERR, false) }
    operationCount += 1
    guard var fault, fault.operations.isEmpty || fault.operations.contains(operation) else { return nil }
    defer { self.fault = fault.count == 0 ? fault.crashesAfter.map { Fault(after: $0) } : fault }
    guard fault.after == 0 else {
      fault.after -= 1
      return nil
    }
    guard let count = fault.count else {
      hasCrashed = true
      return (SQLITE_IOERR, fault.isShort)
    }
    fault.count = count - 1
    return (fault.code | (fault.code == SQLITE_IOERR ? operation.extendedCode : 0), fault.isShort)
  }

  func write(_ bytes: [UInt8], at offset: Int, to name: String) {
    files[name, default: File()].write(bytes, at: offset)
  }

  func truncate(_ name: String, to size: Int) { files[name]?.truncate(to: size) }

  func sync(_ name: String) {
    files[name]?.sync()
    // The journal of a file system commits all earlier changes of a directory with a sync.
    for name in files.keys { files[name]?.hasSyncedName = true }
    removed = [:]
  }

  func remove(_ name: String, isSynced: Bool) {
    guard let file = files.removeValue(forKey: name) else { return }
    removed[name] = !isSynced && file.hasSyncedName ? file : nil
  }

  /// Ends the life of the process that uses the files.
  ///
  /// - Parameter machine: Random numbers if the whole machine crashes.
  func crash(machine random: inout SplitMix64, isMachine: Bool) {
    life += 1
    (hasCrashed, fault) = (false, nil)
    for name in files.keys.sorted() {
      files[name]?.locks = FileLocks()
      files[name]?.sharedMemory = SharedMemory()
      if isMachine { loseUnsynced(name, &random) }
    }
    guard isMachine else { return }
    for (name, file) in removed.sorted(by: { $0.key < $1.key }) where files[name] == nil && random.chance(50) {
      files[name] = file
      loseUnsynced(name, &random)
    }
    removed = [:]
  }

  /// Whether any file contains bytes.
  func contains(_ bytes: [UInt8]) -> Bool {
    files.values.contains { Data($0.content).range(of: Data(bytes)) != nil }
  }

  /// A digest of each file.
  var digests: [String: Int] { files.mapValues { $0.content.hashValue } }

  /// Writes the files to a real directory.
  func export(to directory: String) throws {
    for (name, file) in files { try Data(file.content).write(to: URL(filePath: directory).appending(path: name)) }
  }

  private func loseUnsynced(_ name: String, _ random: inout SplitMix64) {
    guard files[name]?.hasSyncedName == true || random.chance(50) else {
      files[name] = nil
      return
    }
    files[name]?.loseUnsynced(&random)
  }
}

extension SimulatedDisk.Operation {
  fileprivate var extendedCode: CInt {
    switch self {
    case .open: 0
    case .read: 1 << 8
    case .write: 3 << 8
    case .sync: 4 << 8
    case .truncate: 6 << 8
    case .delete: 10 << 8
    }
  }
}

extension SimulatedDisk.File {
  fileprivate mutating func write(_ bytes: [UInt8], at offset: Int) {
    keep(offset..<offset + bytes.count)
    grow(to: offset + bytes.count)
    // Faster than `replaceSubrange` without optimization.
    content.withUnsafeMutableBytes { content in
      bytes.withUnsafeBytes { content[offset..<offset + bytes.count].copyBytes(from: $0) }
    }
  }

  private mutating func grow(to size: Int) {
    if content.count < size { content += Array(repeating: 0, count: size - content.count) }
  }

  fileprivate mutating func truncate(to size: Int) {
    guard size < content.count else { return }
    keep(size..<content.count)
    content.removeLast(content.count - size)
  }

  /// Keeps the sectors of a range as they were at the last sync.
  private mutating func keep(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let size = SimulatedDisk.sector
    for sector in range.lowerBound / size...(range.upperBound - 1) / size where synced[sector] == nil {
      synced[sector] = Array(content[min(sector * size, content.count)..<min((sector + 1) * size, content.count)])
    }
  }

  fileprivate mutating func sync() {
    syncedSize = content.count
    synced.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func loseUnsynced(_ random: inout SplitMix64) {
    // Either nothing is lost, or all, or some.
    let share = random.pick([0, 50, 90, 100])
    let size = content.count != syncedSize && random.below(100) >= share ? syncedSize : content.count
    for (sector, old) in synced.sorted(by: { $0.key < $1.key }) where random.below(100) >= share {
      let start = sector * SimulatedDisk.sector
      let bytes = old + Array(repeating: 0, count: SimulatedDisk.sector - old.count)
      write(bytes, at: start)
    }
    truncate(to: size)
    grow(to: size)
    sync()
  }
}

/// The locks of a file, as SQLite's file locks (sqlite.org/lockingv3.html).
struct FileLocks {
  private var levels: [Int: CInt] = [:]

  func level(of handle: Int) -> CInt { levels[handle] ?? SQLITE_LOCK_NONE }

  mutating func lock(_ level: CInt, _ handle: Int) -> CInt {
    let others = levels.filter { $0.key != handle }.values
    let highest = others.max() ?? SQLITE_LOCK_NONE
    let isFree =
      switch level {
      case SQLITE_LOCK_SHARED: highest < SQLITE_LOCK_PENDING
      case SQLITE_LOCK_RESERVED: highest < SQLITE_LOCK_RESERVED
      default: highest == SQLITE_LOCK_NONE
      }
    guard isFree else { return SQLITE_BUSY }
    levels[handle] = max(level, self.level(of: handle))
    return SQLITE_OK
  }

  mutating func unlock(_ level: CInt, _ handle: Int) { levels[handle] = level == SQLITE_LOCK_NONE ? nil : level }

  var isReserved: Bool { levels.values.contains { $0 >= SQLITE_LOCK_RESERVED } }
}

/// The memory that the connections of a write-ahead log share, with its locks. It lives as long as the process.
struct SharedMemory {
  /// Regions of equal size.
  var regions: [Region] = []
  private var shared: [[Int: Bool]] = Array(repeating: [:], count: 8)
  private var exclusive: [Int?] = Array(repeating: nil, count: 8)

  final class Region {
    let bytes: UnsafeMutableRawPointer

    init(size: Int) {
      bytes = .allocate(byteCount: size, alignment: 8)
      bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { bytes.deallocate() }
  }

  mutating func lock(_ slots: Range<Int>, flags: CInt, _ handle: Int) -> CInt {
    if flags & SQLITE_SHM_UNLOCK != 0 {
      for slot in slots {
        if flags & SQLITE_SHM_SHARED != 0 {
          shared[slot][handle] = nil
        } else if exclusive[slot] == handle {
          exclusive[slot] = nil
        }
      }
      return SQLITE_OK
    }
    let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
    for slot in slots {
      let isTaken = exclusive[slot].map { $0 != handle } ?? false
      if isTaken || isExclusive && shared[slot].keys.contains(where: { $0 != handle }) { return SQLITE_BUSY }
    }
    for slot in slots { if isExclusive { exclusive[slot] = handle } else { shared[slot][handle] = true } }
    return SQLITE_OK
  }

  mutating func leave(_ handle: Int) {
    for slot in 0..<8 {
      shared[slot][handle] = nil
      if exclusive[slot] == handle { exclusive[slot] = nil }
    }
  }
}
