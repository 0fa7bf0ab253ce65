import HummingbirdCore
import NIOCore
import NIOHTTP1

extension HTTP1Channel {
  /// The channel for a new connection, with the limits of the moment.
  ///
  /// - Parameter isLetIn: Whether it stays open; else it closes as soon as it can be closed.
  init(limits: ConnectionLimits, isLetIn: Bool, responder: @escaping HTTPChannelHandler.Responder) {
    self.init(
      responder: responder,
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [isLetIn ? RequestGuard(limits: limits) : ClosedDoor()],
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
          maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
          maxHeaderFieldCount: RequestGuard.maximumFields)))
  }
}

extension Channel {
  /// Runs what a connection is for. The end of the connection cancels it: *the connection is the request.*
  func endingWithConnection(_ body: @escaping @Sendable () async -> Void) async {
    let closeFuture = closeFuture
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await body() }
      group.addTask { try? await closeFuture.get() }
      // Whichever is first: a handler that is done closes its channel, and a channel that is closed ends its handler.
      await group.next()
      group.cancelAll()
    }
  }
}

/// Closes its channel as soon as it can be closed: one that is not active yet does not mind.
private final class ClosedDoor: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  func channelActive(context: ChannelHandlerContext) {
    context.close(promise: nil)
  }
}
