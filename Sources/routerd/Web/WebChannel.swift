import Logging
import NIOCore
import Router

/// A browser's connection to the page, with the limits of ``PeerChannel`` and the kernel-reported user.
struct WebChannel: Sendable {
  /// The maximum number of connections per user; a browser opens up to six per address.
  static let maximumPerUser = 32

  let access: WebAccess
  let routes: RouteTable
  let gate: ConnectionGate
  let configuration: LiveConfiguration
  let executor: LoopExecutor
  let logger: Logger

  /// Accepts a new connection, or closes it. Call it on the connection's event loop.
  func open(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture { try setUp(channel) }
  }

  private func setUp(_ channel: any Channel) throws {
    let current = configuration.current
    var limits = current.connections
    limits.perUser = min(limits.perUser, Self.maximumPerUser)
    guard let browser = LoopbackOwner(of: channel) else { return try channel.closeWhenActive() }
    let peer = Peer(process: ProcessIdentity(uid: browser.uid, gid: .max, pid: 0))
    let verdict = gate.enter(channel, peer, roles: Set(Role.allCases), limits: limits)
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    guard verdict == .admitted else { return try channel.closeWhenActive() }
    try ConnectionHandler(
      limits: current.connections, maximumBody: current.bodyBytes, headers: WebPolicy.headers, executor: executor,
      worker: routes.worker, logger: logger
    ) { request, exchange in
      switch access.decision(on: request, from: browser) {
      case .response(let response): exchange.respond(.success(response))
      case .api(let peer): routes.answer(request, from: peer, isForPage: true, on: exchange)
      }
    }.add(to: channel)
  }
}
