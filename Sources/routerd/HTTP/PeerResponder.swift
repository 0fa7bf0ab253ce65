import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Router

/// Carries a request of a known peer to its route, and the response back.
struct PeerResponder: Sendable {
  private let responder: any HTTPResponder<PeerContext>
  private let logger: Logger

  init(_ responder: some HTTPResponder<PeerContext>, logger: Logger) {
    self.responder = responder
    self.logger = logger
  }

  /// Responds to a request that came on a connection.
  ///
  /// - Parameter headers: What each response has besides its own.
  /// - Returns: What is left to do where the handler waits for somebody.
  func respond(
    to request: Request, on connection: Connection, adding headers: HTTPFields = [:]
  ) async throws -> RequestHandler.FollowUp? {
    try await Connection.$current.withValue(connection) {
      let channel = connection.channel
      let context = PeerContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
      let response = try await responder.respond(to: request, context: context)
      if let handle = context.ending.handle {
        return { [logger, ending = context.ending] in
          await handle.ended()
          try await Self.write(ending.response(logger: logger), of: ending, on: channel, adding: headers)
        }
      }
      try await Self.write(response, of: context.ending, on: channel, adding: headers)
      return nil
    }
  }

  private static func write(
    _ response: Response, of ending: RequestEnding, on channel: any Channel, adding headers: HTTPFields
  ) async throws {
    var response = response
    response.headers[.date] = HTTPDate.now
    response.headers.append(contentsOf: headers)
    try await channel.write(response)
    ending.written()
    if response.headers[.connection] == "close" { throw ConnectionIsOver() }
  }

  /// Ends a connection after its response.
  private struct ConnectionIsOver: Error {}
}
