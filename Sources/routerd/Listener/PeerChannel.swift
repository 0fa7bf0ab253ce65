import HummingbirdCore
import Logging
import NIOCore
import Router

/// A program's connection: who is at the other end, what that may cost, and the requests that come on it.
struct PeerChannel: Sendable {
  let responder: PeerResponder
  let gate: ConnectionGate
  let configuration: LiveConfiguration
  let logger: Logger

  /// Lets a new connection in, if only to be turned away, or has it closed. On its event loop.
  func open(_ channel: any Channel) throws {
    guard let connection = try enter(channel) else { return try channel.closeWhenActive() }
    try channel.takeRequests(limits: configuration.current.connections, maximumBody: configuration.current.bodyBytes) {
      [responder] request in try await responder.respond(to: request, on: connection)
    }
  }

  /// Finds out who has come, and whether there is room.
  private func enter(_ channel: any Channel) throws -> Connection? {
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
}
