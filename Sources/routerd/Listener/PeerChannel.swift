import Logging
import NIOCore
import NIOHTTP1
import Router

/// Sets up the connections of programs on the Unix socket: identifies the peer and applies the connection limits.
struct PeerChannel: Sendable {
  let routes: RouteTable
  let gate: ConnectionGate
  let turns = ConnectionTurns()
  let configuration: LiveConfiguration
  let executor: LoopExecutor
  let logger: Logger
  /// Returns the roles that a caller of this socket has, of those that the configuration gives it.
  var narrow: @Sendable (Set<Role>) -> Set<Role> = { $0 }

  /// Accepts, rejects or closes a new connection. Called on its event loop.
  func open(_ channel: any Channel) -> EventLoopFuture<Void> {
    let current = configuration.current
    let (user, verdict): (Peer, ConnectionGate.Verdict)
    do {
      user = try channel.withSocket { try Peer(userOfSocket: $0) }
      verdict = gate.enter(channel, user, roles: current.access.roles(of: user), limits: current.connections)
    } catch {
      logger.error("rejected a connection", metadata: ["error": "\(error)"])
      return channel.eventLoop.makeCompletedFuture { try channel.closeWhenActive() }
    }
    guard verdict != .dropped else { return channel.eventLoop.makeCompletedFuture { try channel.closeWhenActive() } }
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    return turns.take(channel, of: user.process.uid) { try setUp(channel, of: user, verdict, current) }
  }

  private func setUp(
    _ channel: any Channel, of user: Peer, _ verdict: ConnectionGate.Verdict, _ current: DaemonConfiguration
  ) throws {
    // Rejected connections need no facts from `/proc`.
    let peer = verdict == .admitted ? try channel.withSocket { user.identified(onSocket: $0) } : user
    try ConnectionHandler(
      limits: current.connections, maximumBody: current.bodyBytes, executor: executor, worker: routes.worker, logger: logger
    ) { request, exchange in
      guard verdict == .admitted else { return exchange.respond(.success(Self.turnedAway(peer))) }
      routes.answer(request, from: peer, narrow: narrow, on: exchange)
    }.add(to: channel)
  }

  private static func turnedAway(_ peer: Peer) -> Response {
    var response = Response(
      .tooManyRequests,
      problem:
        "cannot accept another connection: uid \(peer.process.uid) or the daemon has reached its limit of open connections",
      retryAfter: .seconds(1))
    response.headers.add(name: "Connection", value: "close")
    return response
  }
}

extension Channel {
  fileprivate func withSocket<Value>(_ body: (CInt) throws -> Value) throws -> Value {
    guard let value = try pipeline.syncOperations.withUnsafeTransportIfAvailable(body) else {
      throw ChannelError.operationUnsupported
    }
    return value
  }

  /// Closes a new connection as soon as it is active; an inactive one cannot be closed.
  func closeWhenActive() throws {
    try pipeline.syncOperations.addHandler(CloseWhenActive())
  }
}

private final class CloseWhenActive: ChannelInboundHandler {
  typealias InboundIn = Any

  func channelActive(context: ChannelHandlerContext) {
    context.close(promise: nil)
  }
}
