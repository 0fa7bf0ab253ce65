import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Carries a request of a known peer to its route, and the response back.
struct PeerResponder: Sendable {
  private let responder: any HTTPResponder<PeerContext>
  private let logger: Logger

  init(_ responder: some HTTPResponder<PeerContext>, logger: Logger) {
    self.responder = responder
    self.logger = logger
  }

  /// ``respond(to:_:_:adding:)`` as a channel wants it.
  var onConnection: HTTPChannelHandler.Responder {
    { request, writer, channel in try await respond(to: request, writer, channel) }
  }

  /// Responds for ``Connection/current``.
  func respond(
    to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel, adding headers: HTTPFields = [:]
  ) async throws {
    let context = PeerContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
    var response = try await responder.respond(to: request, context: context)
    response.headers[.date] = HTTPDate.now
    response.headers.append(contentsOf: headers)
    let mustClose = response.headers[.connection] == "close"
    try await writer.write(response: response.head, body: response.body)
    context.afterWriting.run()
    if mustClose { throw ConnectionIsOver() }
  }

  /// Ends a connection after its response; Hummingbird closes a channel whose responder throws.
  private struct ConnectionIsOver: Error {}
}
