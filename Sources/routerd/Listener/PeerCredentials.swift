import Glibc
import NIOCore
import Router

extension ProcessIdentity {
  /// `struct ucred` of unix(7), which Glibc's module does not show to Swift.
  private struct Credentials {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
  }

  /// Who is at the other end of a Unix socket, by the kernel's word at connect time.
  ///
  /// It is to be called on the channel's event loop.
  static func peer(of channel: any Channel) -> EventLoopFuture<ProcessIdentity> {
    guard let provider = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(level: .socket, name: .so_peercred)
    return credentials.map { ProcessIdentity(uid: $0.uid, gid: $0.gid, lookingUp: $0.pid) }
  }
}

extension NIOBSDSocket.Option {
  fileprivate static let so_peercred = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
}
