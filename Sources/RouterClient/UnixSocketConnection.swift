import Glibc
import Router

/// A connected Unix or loopback socket, for use by one task at a time. Closed when destroyed.
struct UnixSocketConnection: ~Copyable {
  struct SystemError: Error, CustomStringConvertible {
    let code: CInt

    init(_ code: CInt = errno) { self.code = code }

    var description: String { String(cString: strerror(code)) }
  }

  /// The maximum time without a byte from the peer; `nil` for any.
  var maximumSilence: Duration?
  private let descriptor: CInt
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Connects without blocking. Throws ``SystemError`` (`EAGAIN`: the listener's backlog is full) or
  /// ``UnixSocketAddress/PathIsTooLong``.
  static func connect(to path: String) throws -> UnixSocketConnection {
    let address = try UnixSocketAddress(path: path)
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw SystemError() }
    let connection = UnixSocketConnection(descriptor: descriptor)
    guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else { throw SystemError() }
    return connection
  }

  /// Connects to a TCP port of this machine, which does not block.
  static func connect(toPort port: UInt16) throws -> UnixSocketConnection {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError() }
    let connection = UnixSocketConnection(descriptor: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let status = withUnsafeBytes(of: &address) { bytes in
      Glibc.connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
    guard status == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw SystemError() }
    return connection
  }

  private init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The uid of the peer process when it connected or listened (unix(7), `SO_PEERCRED`).
  func peerUID() throws -> UInt32 {
    guard let credentials = PeerCredentials(ofSocket: descriptor) else { throw SystemError() }
    return credentials.uid
  }

  /// Sends all bytes, waiting while the socket's buffer is full. Stops early if the peer replies first (RFC 9112, section 9.5).
  func send(_ bytes: [UInt8]) async throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        try await SocketReadiness.shared.wait(for: descriptor, .eitherWay)
        if hasSomethingToRead() { return }
      } else if errno != EINTR {
        throw SystemError()
      }
    }
  }

  /// Whether the peer has sent data or closed its side.
  private func hasSomethingToRead() -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, CInt(MSG_PEEK)) >= 0
  }

  /// Waits for bytes; returns an empty slice once the peer has closed its side. Throws ``SystemError`` with `ETIMEDOUT` after
  /// ``maximumSilence``.
  mutating func receive() async throws -> ArraySlice<UInt8> {
    while true {
      try Task.checkCancellation()
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count >= 0 { return buffer[..<count] }
      if errno == EAGAIN {
        do {
          try await SocketReadiness.shared.wait(for: descriptor, .reading, limit: maximumSilence)
        } catch is SocketReadiness.TimedOut {
          throw SystemError(ETIMEDOUT)
        }
      } else if errno != EINTR {
        throw SystemError()
      }
    }
  }
}
