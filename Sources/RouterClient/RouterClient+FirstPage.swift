package import Router

extension RouterClient {
  /// Returns the oldest open presentations, at most `limit`, by surface in display order.
  ///
  /// - Parameter like: A presentation; returns only others that one answer may include with it.
  package func firstPresentations(limit: Int, like: PresentationID? = nil) async throws -> [Presentation] {
    let call = HTTPCall(.GET, QueryString.path(APIPath.presentations, ["limit": String(limit), "like": like?.description]))
    let page: Page<Presentation> = try await once { try await reply(to: call) }
    return page.elements
  }
}
