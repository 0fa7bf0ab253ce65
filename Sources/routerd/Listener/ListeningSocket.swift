import Glibc
import Router

/// The daemon's socket in the file system: bound so that nobody else can ever reach it, and never taken over.
final class ListeningSocket: Sendable {
  let path: String
  let descriptor: CInt
  private let lock: FileLock

  /// Locks the path, binds under another name with mode 0600, listens, and only then takes the name: there is no moment
  /// at which the name does not answer or answers to others. A stale socket is replaced by the rename.
  ///
  /// - Throws: ``RouterError`` if another daemon has the path, something else is there, or the path is too long.
  init(path: String) throws {
    self.path = path
    try Self.makeDirectory(of: path)
    lock = try FileLock(path: path + ".lock", for: "the socket \(path)")
    try Self.refuseOtherFiles(at: path)
    let temporary = path + ".new"
    unlink(temporary)
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.error("cannot make a socket") }
    do {
      // On Linux the mode of the socket before bind is the mode of the file that bind makes (unix(7)), less the umask.
      guard fchmod(descriptor, 0o600) == 0 else { throw Self.error("cannot restrict the socket \(path)") }
      try Self.bind(descriptor, to: temporary)
      try listen()
      guard rename(temporary, path) == 0 else { throw Self.error("cannot put the socket at \(path)") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
  }

  /// Lets connections queue up to be accepted, as many as the kernel lets (`net.core.somaxconn`).
  func listen() throws {
    guard Glibc.listen(descriptor, CInt(UInt16.max)) == 0 else { throw Self.error("cannot listen on \(path)") }
  }

  /// Takes the name away, while the lock is still held. The descriptor is closed by whoever listens on it.
  func remove() {
    unlink(path)
  }

  private static func makeDirectory(of path: String) throws {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let directory = String(path[..<slash])
    guard access(directory, F_OK) != 0 else { return }
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw error("cannot make the directory \(directory)") }
  }

  private static func refuseOtherFiles(at path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw RouterError(.database, "cannot listen on \(path): something that is no socket is there")
    }
  }

  private static func bind(_ descriptor: CInt, to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    let bytes = Array(path.utf8)
    guard bytes.count < capacity else {
      throw RouterError(.database, "cannot listen: the socket's path may have at most \(capacity - 5) bytes")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw error("cannot bind the socket \(path)") }
  }

  private static func error(_ message: String) -> RouterError {
    RouterError(.database, "\(message): \(String(cString: strerror(errno)))")
  }
}
