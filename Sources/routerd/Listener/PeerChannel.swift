import Logging
import NIOCore
import NIOHTTP1
import Router

/// Sets up the connections of programs on the Unix socket: identifies the peer and applies the connection limits.
struct PeerChannel: Sendable {
  let routes: RouteTable
  let gate: ConnectionGate
  let configuration: LiveConfiguration
  let executor: LoopExecutor
  let logger: Logger

  /// Accepts, rejects or closes a new connection. Called on its event loop.
  func open(_ channel: any Channel) throws {
    let current = configuration.current
    let (peer, verdict): (Peer, ConnectionGate.Verdict)
    do {
      let found = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { socket in
        let user = try Peer(userOfSocket: socket)
        let verdict = gate.enter(channel, user, roles: current.access.roles(of: user), limits: current.connections)
        // Reading `/proc` costs more than all the rest of a connection that is turned away.
        return (verdict == .admitted ? user.identified(onSocket: socket) : user, verdict)
      }
      guard let found else { throw ChannelError.operationUnsupported }
      (peer, verdict) = found
    } catch {
      logger.error("rejected a connection", metadata: ["error": "\(error)"])
      return try channel.closeWhenActive()
    }
    guard verdict != .dropped else { return try channel.closeWhenActive() }
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    try ConnectionHandler(
      limits: current.connections, maximumBody: current.bodyBytes, executor: executor, worker: routes.worker, logger: logger
    ) { request, exchange in
      guard verdict == .admitted else { return exchange.respond(.success(Self.turnedAway(peer))) }
      routes.answer(request, from: peer, on: exchange)
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
  /// Closes a new connection once it is active, which is when it can be closed.
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
