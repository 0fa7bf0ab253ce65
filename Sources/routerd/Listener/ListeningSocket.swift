import FoundationEssentials
import Glibc
import Router
import RouterClient

/// The daemon's socket: in the file system, never reachable by others and never taken over; or one from a service manager.
final class ListeningSocket: Sendable {
  let path: String
  let descriptor: CInt
  /// Held as long as the path is the daemon's own; what was handed over is its giver's.
  private let lock: FileLock?

  /// Locks the path, binds under another name with mode 0600, opens it to whom it is for, listens, and only then takes the
  /// name: there is no moment at which the name does not answer or answers to others. A stale socket is replaced by the
  /// rename.
  ///
  /// - Parameters:
  ///   - mode: The file's permissions, at least 0600.
  ///   - group: The file's group; `nil` is the process' own.
  /// - Throws: ``RouterError`` if another daemon has the path, something else is there, the path is too long, or the
  ///   process may not give the socket to the group.
  init(path: String, mode: UInt32 = 0o600, group: UInt32? = nil) throws {
    self.path = path
    try Self.makeDirectory(of: path, isShared: mode & 0o066 != 0)
    lock = try FileLock(path: path + ".lock", for: "the socket \(path)")
    try Self.refuseOtherFiles(at: path)
    let temporary = path + ".new"
    unlink(temporary)
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw RouterError(failed: "cannot make a socket") }
    do {
      // On Linux the mode of the socket before bind is the mode of the file that bind makes (unix(7)), less the umask.
      guard fchmod(descriptor, 0o600) == 0 else { throw RouterError(failed: "cannot restrict the socket \(path)") }
      try Self.bind(descriptor, to: temporary)
      try Self.open(temporary, to: group, mode: mode)
      try listen()
      guard rename(temporary, path) == 0 else { throw RouterError(failed: "cannot put the socket at \(path)") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// Lets connections queue up to be accepted, as many as the kernel lets (`net.core.somaxconn`).
  func listen() throws {
    guard Glibc.listen(descriptor, CInt(UInt16.max)) == 0 else { throw RouterError(failed: "cannot listen on \(path)") }
  }

  /// Takes over a socket that is bound and listens already.
  init(inherited: InheritedSocket) {
    path = inherited.path
    descriptor = inherited.descriptor
    lock = nil
  }

  /// Removes the socket's file while the lock is still held, unless it was handed over. Whoever listens closes the descriptor.
  func remove() {
    if lock != nil { unlink(path) }
  }

  /// Gives the socket to the group and lets in whom the mode says.
  private static func open(_ path: String, to group: UInt32?, mode: UInt32) throws {
    if let group, chown(path, uid_t.max, group) != 0 {
      throw RouterError(failed: "cannot give the socket \(path) to the group \(group)")
    }
    // The umask had its say when the socket was bound.
    if mode != 0o600, chmod(path, mode) != 0 { throw RouterError(failed: "cannot open the socket \(path) to others") }
  }

  /// - Parameter isShared: Whether others are to reach what is in it.
  private static func makeDirectory(of path: String, isShared: Bool) throws {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    guard access(directory, F_OK) != 0 else { return }
    let mode: mode_t = isShared ? 0o755 : 0o700
    guard mkdir(directory, mode) == 0 || errno == EEXIST else {
      throw RouterError(failed: "cannot make the directory \(directory)")
    }
    // The umask had its say.
    if isShared, chmod(directory, mode) != 0 { throw RouterError(failed: "cannot open the directory \(directory) to others") }
  }

  private static func refuseOtherFiles(at path: String) throws {
    // By a type of Swift's own: whose `struct stat` is changes with the order in which a compilation reads files.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeSocket else {
      throw RouterError(
        .database,
        "cannot listen on \(path): a file that is not a socket is there. Move it away, or choose another path with --socket")
    }
  }

  private static func bind(_ descriptor: CInt, to path: String) throws {
    guard let address = try? UnixSocketAddress(path: path) else {
      throw RouterError(
        .database, "cannot listen: the socket's path may have at most \(UnixSocketAddress.maximumPathBytes - 4) bytes")
    }
    guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else {
      throw RouterError(failed: "cannot bind the socket \(path)")
    }
  }
}
