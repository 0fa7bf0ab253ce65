import HummingbirdCore
import Logging
import NIOCore
import Router

/// Hummingbird's HTTP/1 channel with two things more: who is at the other end, and the end of the connection cancels
/// whatever runs for it. *The connection is the request.*
struct PeerChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let http: HTTP1Channel.Value
    let peer: ProcessIdentity

    var channel: any Channel { http.channel }
  }

  /// The peer of the connection that the current task works for.
  @TaskLocal static var peer: ProcessIdentity?

  let http: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    ProcessIdentity.peer(of: channel).flatMap { peer in
      http.setup(channel: channel, logger: logger).map { Value(http: $0, peer: peer) }
    }
  }

  func handle(value: Value, logger: Logger) async {
    await Self.$peer.withValue(value.peer) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await http.handle(value: value.http, logger: logger) }
        group.addTask { try? await value.channel.closeFuture.get() }
        // Whichever is first: a handler that is done closes its channel, and a channel that is closed ends its handler.
        await group.next()
        group.cancelAll()
      }
    }
  }
}
