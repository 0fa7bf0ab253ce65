import Glibc

/// Sends datagrams to a Unix socket, which may be absent for a while (unix(7)).
package final class DatagramSocket: Sendable {
  package enum Patience {
    /// Fails with `EAGAIN` if the receiver's queue is full.
    case none
    /// Waits at most a second.
    case second
    case unlimited
  }

  private let descriptor: CInt
  private let address: UnixSocketAddress

  /// Returns `nil` if there is no free descriptor, with the reason in `errno`.
  package init?(to address: UnixSocketAddress, _ patience: Patience) {
    self.address = address
    let flags = CInt(SOCK_CLOEXEC.rawValue) | (patience == .none ? CInt(SOCK_NONBLOCK.rawValue) : 0)
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | flags, 0)
    guard descriptor >= 0 else { return nil }
    guard patience == .second else { return }
    var time = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns 0, or the `errno` of the failure.
  package func send(_ bytes: UnsafeRawBufferPointer) -> CInt {
    while address.withPointer({ CInt(sendto(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL), $0, $1)) }) < 0 {
      guard errno == EINTR else { return errno }
    }
    return 0
  }
}
