import NIOHTTP1
import Router

/// The way to the page: `/v1/web`.
struct WebRoutes: Sendable {
  /// `nil` where no page is served.
  let links: WebLinks?

  /// `POST /v1/web/link`
  func link(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws -> Response? {
    guard let links else {
      throw RouterError(
        .notFound, "cannot make a link: the daemon serves no page; set web.address, or see its log if it is set")
    }
    return Response(
      json: ["url": .string(links.link(for: call.connected)), "lifetime": .seconds(WebLinks.lifetime)],
      headers: ["Cache-Control": "no-store"])
  }
}
