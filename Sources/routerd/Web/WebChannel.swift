import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import Router

/// A browser's connection to the page: Hummingbird's HTTP/1 channel with the limits of ``PeerChannel``, and the user at the
/// other end by the kernel's word.
struct WebChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let http: HTTP1Channel.Value
    let isLetIn: Bool

    var channel: any Channel { http.channel }
  }

  /// The user whose browser the current task works for; `nil` if the kernel does not tell.
  @TaskLocal static var browser: UInt32?

  /// Who a connection counts as before it has said anything: the page has its limits for itself.
  private static let anyBrowser = Peer(process: ProcessIdentity(uid: 0, gid: 0, pid: 0))

  let door: WebDoor
  let responder: PeerResponder
  let gate: ConnectionGate
  let configuration: LiveConfiguration

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      gate.enter(
        channel, Self.anyBrowser, roles: Set(Role.allCases), limits: configuration.current.connections) == .admitted
    }.flatMap { isLetIn in
      channel.closeFuture.whenComplete { _ in gate.leave(channel) }
      return http(isLetIn: isLetIn).setup(channel: channel, logger: logger).flatMapThrowing { http in
        try ReasonPhrases.add(to: channel)
        return Value(http: http, isLetIn: isLetIn)
      }
    }
  }

  func handle(value: Value, logger: Logger) async {
    guard value.isLetIn else {
      try? await value.http.executeThenClose { _, _ in }
      return
    }
    await Self.$browser.withValue(LoopbackOwner.uid(of: value.channel)) {
      await value.channel.endingWithConnection { await http(isLetIn: true).handle(value: value.http, logger: logger) }
    }
  }

  private func http(isLetIn: Bool) -> HTTP1Channel {
    HTTP1Channel(limits: configuration.current.connections, isLetIn: isLetIn, responder: respond)
  }

  @Sendable private func respond(
    _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
  ) async throws {
    switch door.way(of: request, from: Self.browser) {
    case .response(var response):
      response.headers.append(contentsOf: WebPolicy.headers)
      response.headers[.date] = HTTPDate.now
      try await writer.write(response: response.head, body: response.body)
    case .api(let peer):
      let connection = Connection(peer: peer, channel: channel, configuration: configuration, isTurnedAway: false)
      var unused: ResponseWriter? = consume writer
      try await Connection.$current.withValue(connection) {
        guard let writer = unused.take() else { return }
        try await responder.respond(to: request, writer, channel, adding: WebPolicy.headers)
      }
    }
  }
}
