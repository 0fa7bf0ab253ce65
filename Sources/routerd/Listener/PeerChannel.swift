import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Router

/// Hummingbird's HTTP/1 channel with three things more: who is at the other end, a bound on what that may cost, and the end
/// of the connection cancels whatever runs for it. *The connection is the request.*
struct PeerChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let http: HTTP1Channel.Value
    /// `nil` for a connection that is not let in.
    let connection: Connection?

    var channel: any Channel { http.channel }
  }

  let responder: HTTPChannelHandler.Responder
  let gate: ConnectionGate
  let configuration: LiveConfiguration

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture { try enter(channel, logger: logger) }.flatMap { connection in
      http(isLetIn: connection != nil).setup(channel: channel, logger: logger).flatMapThrowing { http in
        try ReasonPhrases.add(to: channel)
        return Value(http: http, connection: connection)
      }
    }
  }

  /// Finds out who has come, and whether there is room.
  private func enter(_ channel: any Channel, logger: Logger) throws -> Connection? {
    let peer: Peer
    do {
      guard let found = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable({ try Peer(ofSocket: $0) }) else {
        throw ChannelError.operationUnsupported
      }
      peer = found
    } catch {
      logger.error("a connection was not let in", metadata: ["error": "\(error)"])
      return nil
    }
    let verdict = gate.enter(
      channel, peer, roles: configuration.roles(of: peer), limits: configuration.current.connections)
    guard verdict != .dropped else { return nil }
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    return Connection(
      peer: peer, channel: channel, configuration: configuration, isTurnedAway: verdict == .turnedAway)
  }

  func handle(value: Value, logger: Logger) async {
    guard let connection = value.connection else {
      // It closes by itself; who would write to it wants to be told.
      try? await value.http.executeThenClose { _, _ in }
      return
    }
    await Connection.$current.withValue(connection) {
      await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
        await value.channel.endingWithConnection { await http(isLetIn: true).handle(value: value.http, logger: logger) }
      }
    }
  }

  private func http(isLetIn: Bool) -> HTTP1Channel {
    HTTP1Channel(limits: configuration.current.connections, isLetIn: isLetIn, responder: responder)
  }
}
