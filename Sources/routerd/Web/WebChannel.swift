import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Router

/// A browser's connection to the page: the limits of ``PeerChannel``, and the user at the other end by the kernel's word.
struct WebChannel: Sendable {
  /// Who a connection counts as before it has said anything: the page has its limits for itself.
  private static let anyBrowser = Peer(process: ProcessIdentity(uid: 0, gid: 0, pid: 0))

  let door: WebDoor
  let responder: PeerResponder
  let gate: ConnectionGate
  let configuration: LiveConfiguration

  /// Lets a new connection in, or has it closed. On its event loop.
  func open(_ channel: any Channel) throws {
    let limits = configuration.current.connections
    let verdict = gate.enter(channel, Self.anyBrowser, roles: Set(Role.allCases), limits: limits)
    channel.closeFuture.whenComplete { _ in gate.leave(channel) }
    guard verdict == .admitted else { return try channel.closeWhenActive() }
    // `nil` if the kernel does not tell.
    let browser = LoopbackOwner.uid(of: channel)
    try channel.takeRequests(limits: limits, maximumBody: configuration.current.bodyBytes) { request in
      try await respond(to: request, of: browser, on: channel)
    }
  }

  private func respond(
    to request: Request, of browser: UInt32?, on channel: any Channel
  ) async throws -> RequestHandler.FollowUp? {
    switch door.way(of: request, from: browser) {
    case .response(var response):
      response.headers.append(contentsOf: WebPolicy.headers)
      response.headers[.date] = HTTPDate.now
      try await channel.write(response)
      return nil
    case .api(let peer):
      let connection = Connection(peer: peer, channel: channel, configuration: configuration, isTurnedAway: false)
      return try await responder.respond(to: request, on: connection, adding: WebPolicy.headers)
    }
  }
}
