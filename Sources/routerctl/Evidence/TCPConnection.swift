import Glibc
import Router

/// A blocking TCP connection. Each operation ends after ``timeout``.
final class TCPConnection: Sendable {
  static let timeout = 30

  private let descriptor: CInt
  private let name: String

  /// Connects to the first of the host's addresses that accepts.
  init(host: String, port: UInt16) throws(TargetFailure) {
    name = "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &found)
    guard failure == 0 else {
      throw TargetFailure("cannot find the host \(host): \(String(cString: gai_strerror(failure)))")
    }
    defer { freeaddrinfo(found) }
    var (address, connected) = (found, CInt(-1))
    while let candidate = address?.pointee, connected < 0 {
      connected = Self.connect(candidate)
      address = candidate.ai_next
    }
    guard connected >= 0 else { throw TargetFailure(failed: "connect to \(name)") }
    descriptor = connected
  }

  deinit { close(descriptor) }

  private static func connect(_ address: addrinfo) -> CInt {
    let descriptor = socket(address.ai_family, address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), address.ai_protocol)
    guard descriptor >= 0 else { return -1 }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return -1
    }
    return descriptor
  }

  func send(_ bytes: [UInt8]) throws(TargetFailure) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw TargetFailure(failed: "send to \(name)") }
      sent += count
    }
  }

  /// Returns the next bytes; empty at the end of the stream.
  func receive() throws(TargetFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TargetFailure(failed: "read the reply of \(name)") }
      return Array(buffer[..<count])
    }
  }

  /// Throws if the peer has closed the connection, which a sender notices late. For protocols without replies.
  func checkOpen() throws(TargetFailure) {
    var byte = UInt8(0)
    let count = recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
    guard count != 0 else { throw TargetFailure("\(name) closed the connection") }
    guard count > 0 || errno == EAGAIN || errno == EINTR else { throw TargetFailure(failed: "send to \(name)") }
  }

  /// Waits until the peer's kernel has received all sent bytes (tcp(7), SIOCOUTQ).
  func waitForPeer() throws(TargetFailure) {
    let deadline = ContinuousClock.now + .seconds(Self.timeout)
    while true {
      var unacknowledged = CInt(0)
      guard ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) == 0 else { throw TargetFailure(failed: "send to \(name)") }
      try checkOpen()
      if unacknowledged == 0 { return }
      guard ContinuousClock.now < deadline else { throw TargetFailure("\(name) does not acknowledge what was sent") }
      usleep(1000)
    }
  }
}
