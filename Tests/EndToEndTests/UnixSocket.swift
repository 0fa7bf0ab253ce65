import Glibc
import Router
import RouterClient

/// Raw Unix sockets for tests.
enum UnixSocket {
  /// Connects to a path; the caller closes the socket.
  static func connect(to path: String) throws -> CInt {
    try make(path, "connect to") { descriptor, address in
      address.withPointer { Glibc.connect(descriptor, $0, $1) } == 0
    }
  }

  /// Listens at a new path; the caller closes the socket.
  static func listen(at path: String) throws -> CInt {
    try make(path, "listen at") { descriptor, address in
      address.withPointer { bind(descriptor, $0, $1) } == 0 && Glibc.listen(descriptor, 16) == 0
    }
  }

  private static func make(_ path: String, _ what: String, _ use: (CInt, UnixSocketAddress) -> Bool) throws -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard use(descriptor, try UnixSocketAddress(path: path)) else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw RouterError(.unreachable, "cannot \(what) \(path): \(reason)")
    }
    return descriptor
  }
}
