import Glibc
import Router
import RouterClient

/// Calls on the agent's sockets, which never block.
enum SSHAgentSocket {
  /// Connects; returns `nil` and sets `errno` on failure, to `EAGAIN` if the listener does not accept connections.
  static func connect(to path: String) -> CInt? {
    guard let address = try? UnixSocketAddress(path: path) else {
      errno = ENAMETOOLONG
      return nil
    }
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { return nil }
    guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let error = errno
      close(descriptor)
      errno = error
      return nil
    }
    return descriptor
  }

  /// Receives what is there; `nil` at the end and on failure.
  static func receive(_ descriptor: CInt) -> [UInt8]? {
    let capacity = 16_384
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      result = recv(descriptor, buffer.baseAddress, capacity, CInt(MSG_DONTWAIT))
      count = max(0, result)
    }
    if result < 0, errno == EAGAIN || errno == EINTR { return [] }
    return result > 0 ? bytes : nil
  }

  /// Sends what fits, and returns the number of bytes; `nil` on failure.
  static func send(_ descriptor: CInt, _ bytes: [UInt8]) -> Int? {
    let count = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
    return count >= 0 ? count : nil
  }
}
