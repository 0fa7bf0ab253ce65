import Glibc
import Router

/// A listening socket inherited from a service manager (sd_listen_fds(3)).
struct InheritedSocket: Sendable {
  /// The first inherited descriptor (`SD_LISTEN_FDS_START`).
  private static let first: CInt = 3

  let descriptor: CInt
  /// The path of the socket; an abstract name (unix(7)) begins with `@`.
  let path: String

  /// Takes the sockets named by the environment, if any: the daemon's, and the one for asking, whose path is `askSocket` or the
  /// default one beside another socket. Unsets the variables, so that no child process takes the sockets.
  ///
  /// - Throws: ``RouterError`` if they are not listening Unix sockets, or if none of several others is named `routerd`.
  static func take(askSocket: String?) throws -> (main: InheritedSocket?, asking: InheritedSocket?) {
    let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    let values = variables.map { name in getenv(name).map { String(cString: $0) } }
    for name in variables { unsetenv(name) }
    guard values[0].flatMap({ pid_t($0) }) == getpid(), let count = values[1].flatMap({ CInt($0) }), count > 0 else {
      return (nil, nil)
    }
    var names = (values[2] ?? "").split(at: ":", omittingEmptySubsequences: false)
    var descriptors = Array(first..<first + count)
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var asking: InheritedSocket?
    let paths = descriptors.map(path)
    let index = paths.firstIndex { path in
      path == askSocket || paths.contains { DefaultPaths.askSocket(besides: $0) == path }
    }
    if let index {
      asking = try InheritedSocket(checking: descriptors.remove(at: index))
      if names.indices.contains(index) { names.remove(at: index) }
      guard !descriptors.isEmpty else { return (nil, asking) }
    }
    guard let index = choose(count: descriptors.count, names: names) else {
      throw RouterError(
        .invalid, "systemd passed \(count) sockets: name one with FileDescriptorName=routerd")
    }
    return (try InheritedSocket(checking: descriptors[index]), asking)
  }

  /// Returns the index of the daemon's socket. By default, systemd names a socket after its unit.
  static func choose(count: Int, names: [Substring]) -> Int? {
    guard count > 1 else { return 0 }
    let named = names.prefix(count).indices.filter { names[$0] == "routerd" || names[$0] == "routerd.socket" }
    return named.count == 1 ? named[0] : nil
  }

  init(checking descriptor: CInt) throws {
    guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      Self.option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue), Self.option(SO_ACCEPTCONN, of: descriptor) == 1
    else {
      throw RouterError(.invalid, "cannot use the inherited descriptor \(descriptor): it is not a listening Unix socket")
    }
    self.descriptor = descriptor
    path = Self.path(of: descriptor)
  }

  private static func option(_ option: CInt, of descriptor: CInt) -> CInt? {
    var value: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
  }

  private static func path(of descriptor: CInt) -> String {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) else { return "" }
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(max(0, Int(size) - offset))) }
    guard bytes.first == 0 else { return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    return "@" + String(decoding: bytes.dropFirst(), as: UTF8.self)
  }
}
