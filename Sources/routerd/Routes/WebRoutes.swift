import HTTPTypes
import Hummingbird
import Router

/// The way to the page: `/v1/web`.
struct WebRoutes: Sendable {
  /// `nil` where no page is served.
  let links: WebLinks?

  /// `POST /v1/web/link`
  @Sendable func link(_ request: Request, _ context: PeerContext) async throws -> Response {
    guard let links, let connection = Connection.current else {
      throw RouterError(.notFound, "cannot make a link: the daemon serves no page; the setting web.address is for that")
    }
    return Response(
      .ok,
      json: ["url": .string(links.link(for: connection.peer)), "lifetime": .seconds(WebLinks.lifetime)],
      headers: [.cacheControl: "no-store"])
  }
}
