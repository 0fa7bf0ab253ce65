import Logging
import NIOCore
import Router

/// A browser's connection to the page: the limits of ``PeerChannel``, and the user at the other end by the kernel's word.
struct WebChannel: Sendable {
  /// Who a connection counts as before it has said anything: the page has its limits for itself.
  private static let anyBrowser = Peer(process: ProcessIdentity(uid: 0, gid: 0, pid: 0))

  let door: WebDoor
  let routes: RouteTable
  let gate: ConnectionGate
  let configuration: LiveConfiguration
  let logger: Logger

  /// Lets a new connection in, or has it closed. On its event loop.
  func open(_ channel: any Channel) throws {
    let current = configuration.current
    let verdict = gate.enter(channel, Self.anyBrowser, roles: Set(Role.allCases), limits: current.connections)
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    guard verdict == .admitted else { return try channel.closeWhenActive() }
    // `nil` if the kernel does not tell.
    let browser = LoopbackOwner.uid(of: channel)
    try ConnectionHandler(
      limits: current.connections, maximumBody: current.bodyBytes, headers: WebPolicy.headers, worker: routes.worker,
      logger: logger
    ) { request, exchange in
      switch door.way(of: request, from: browser) {
      case .response(let response): exchange.respond(.success(response))
      case .api(let peer): routes.answer(request, from: peer, isForPage: true, on: exchange)
      }
    }.add(to: channel)
  }
}
