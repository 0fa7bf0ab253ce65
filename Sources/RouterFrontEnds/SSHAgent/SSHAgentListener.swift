import Glibc
import Router
import RouterClient
import RouterCommandLine

/// The listening socket, which only its user can reach.
struct SSHAgentListener {
  let descriptor: CInt

  /// Binds a temporary name with mode 0600, listens and renames it, which replaces the socket of an agent that has ended.
  ///
  /// - Throws: ``CommandFailure`` if others can access the directory, or a live agent or another file is at the path.
  init(path: String, upstream: String) throws {
    try Self.check(path, upstream)
    let temporary = path + ".new"
    guard let address = try? UnixSocketAddress(path: temporary) else {
      throw CommandFailure(.usage, "cannot listen: \(path) is too long for a socket")
    }
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    unlink(temporary)
    // On Linux, the file gets the socket's mode at bind(2), less the umask (unix(7)).
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, address.withPointer({ bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 128) == 0, rename(temporary, path) == 0
    else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      unlink(temporary)
      throw CommandFailure(.defect, "cannot listen at \(path): \(reason)")
    }
  }

  private static func check(_ path: String, _ upstream: String) throws {
    let directory = path.parentDirectory
    do {
      try Directories.make(directory)
    } catch {
      throw CommandFailure(.defect, "cannot create \(directory): \(error)")
    }
    var (folder, file, other) = (stat(), stat(), stat())
    guard stat(directory, &folder) == 0, folder.st_uid == geteuid(), folder.st_mode & 0o077 == 0 else {
      throw CommandFailure(
        .usage, "cannot listen in \(directory): other users can access it. Use your own directory with mode 700")
    }
    let exists = lstat(path, &file) == 0
    let isSame = exists && stat(upstream, &other) == 0 && (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino)
    guard path != upstream, !isSame else {
      throw CommandFailure(.usage, "--listen and --upstream are the same socket, \(path). Pass your agent's as --upstream")
    }
    guard exists else { return }
    guard file.st_mode & S_IFMT == S_IFSOCK else {
      throw CommandFailure(.usage, "cannot listen at \(path): a file that is not a socket is there")
    }
    if let live = SSHAgentSocket.connect(to: path) {
      close(live)
      throw CommandFailure(.refused, "an agent already listens at \(path)")
    }
  }

  /// The errors after which accept(2) can succeed again.
  private static let passing = [EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]

  /// Accepts connections, and serves each on a thread. Returns only if the socket fails, with the error number.
  func run(_ settings: SSHAgentSettings) -> CInt {
    let connections = SSHAgentConnections()
    while true {
      let client = accept(descriptor, nil, nil)
      if client < 0 {
        guard Self.passing.contains(errno) else { return errno }
        // Without descriptors or memory, serves the open connections first.
        if errno != EINTR, errno != ECONNABORTED { usleep(100_000) }
        continue
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      guard connections.enter() else {
        close(client)
        SSHAgentSettings.warn("refused a connection: \(SSHAgentSettings.maximumConnections) are open")
        continue
      }
      let serve: @Sendable () -> Void = {
        SSHAgentConnection(client: client, settings: settings).run()
        close(client)
        connections.leave()
      }
      do {
        try Thread.start(serve)
      } catch {
        close(client)
        connections.leave()
        SSHAgentSettings.warn(error.message)
      }
    }
  }
}

/// Counts the open connections.
private final class SSHAgentConnections: Sendable {
  private let count = Mutex(0)

  /// Returns whether another connection may be served.
  func enter() -> Bool {
    count.withLock { count in
      guard count < SSHAgentSettings.maximumConnections else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}
