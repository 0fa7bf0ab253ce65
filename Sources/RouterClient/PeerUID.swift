import Glibc
import NIOCore

extension Channel {
  /// The user at the other end of a Unix socket, by the kernel's word when the connection was made (unix(7), `SO_PEERCRED`).
  func peerUID() async throws -> UInt32 {
    guard let provider = self as? any SocketOptionProvider else { throw ChannelError.operationUnsupported }
    let credentials: Credentials = try await provider.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
    ).get()
    return credentials.uid
  }
}

/// `struct ucred` of unix(7), which Glibc's module does not show to Swift.
private struct Credentials {
  var pid: pid_t = 0
  var uid: uid_t = 0
  var gid: gid_t = 0
}
