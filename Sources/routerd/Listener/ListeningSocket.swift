import FoundationEssentials
import Glibc
import Router
import RouterClient

/// The daemon's listening socket, bound to a path or inherited from a service manager.
final class ListeningSocket: Sendable {
  let path: String
  let descriptor: CInt
  /// Held while the daemon owns the path.
  private let lock: FileLock?
  /// Whether the daemon made the socket's file.
  private let isOwn: Bool

  /// Locks the path, binds a temporary name with mode 0600, applies group and mode, listens, and then renames it to `path`. The
  /// name is therefore never visible without a listener or with wider permissions. The rename replaces a stale socket.
  ///
  /// - Parameters:
  ///   - mode: The file mode, at least 0600.
  ///   - group: The file's group; `nil` for the process's group.
  ///   - isLocked: Whether to lock the path. The lock's file is beside the socket.
  /// - Throws: ``RouterError`` if another daemon uses the path, the path is too long or is a file of another kind, or the
  ///   process may not assign the group.
  init(path: String, mode: UInt32 = 0o600, group: UInt32? = nil, isLocked: Bool = true) throws {
    self.path = path
    isOwn = true
    try Self.makeDirectory(of: path, isShared: mode & 0o066 != 0)
    lock = isLocked ? try FileLock(path: path + ".lock", for: "the socket \(path)") : nil
    try Self.refuseOtherFiles(at: path)
    let temporary = path + ".new"
    unlink(temporary)
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw RouterError(failed: "cannot create a socket") }
    do {
      // On Linux, the file gets the socket's mode at bind(2), less the umask (unix(7)).
      guard fchmod(descriptor, 0o600) == 0 else { throw RouterError(failed: "cannot restrict the socket \(path)") }
      try Self.bind(descriptor, to: temporary)
      try Self.open(temporary, to: group, mode: mode)
      try listen()
      guard rename(temporary, path) == 0 else { throw RouterError(failed: "cannot move the socket to \(path)") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// Listens with the largest backlog that the kernel allows (`net.core.somaxconn`).
  func listen() throws {
    guard Glibc.listen(descriptor, CInt(UInt16.max)) == 0 else { throw RouterError(failed: "cannot listen on \(path)") }
  }

  /// Takes over a socket that is already bound and listening.
  init(inherited: InheritedSocket) {
    path = inherited.path
    descriptor = inherited.descriptor
    lock = nil
    isOwn = false
  }

  /// Removes the socket's file while the lock is held, unless it was inherited. The listener closes the descriptor.
  func remove() {
    if isOwn { unlink(path) }
  }

  /// Applies the group and mode of the socket file.
  private static func open(_ path: String, to group: UInt32?, mode: UInt32) throws {
    if let group, chown(path, uid_t.max, group) != 0 {
      throw RouterError(failed: "cannot set the group of the socket \(path) to \(group)")
    }
    // chmod(2) ignores the umask.
    if mode != 0o600, chmod(path, mode) != 0 { throw RouterError(failed: "cannot set the mode of the socket \(path)") }
  }

  /// - Parameter isShared: Whether other users need access to its contents.
  private static func makeDirectory(of path: String, isShared: Bool) throws {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    guard access(directory, F_OK) != 0 else { return }
    guard isShared else { return try Daemon.makeDirectory(directory) }
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST else {
      throw RouterError(failed: "cannot create the directory \(directory)")
    }
    // chmod(2) ignores the umask.
    guard chmod(directory, 0o755) == 0 else { throw RouterError(failed: "cannot set the mode of the directory \(directory)") }
  }

  private static func refuseOtherFiles(at path: String) throws {
    // Uses Foundation because `struct stat` is ambiguous: its meaning depends on the order of the files.
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
