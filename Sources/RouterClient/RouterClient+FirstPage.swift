package import Router

extension RouterClient {
  /// Returns the oldest open presentations, at most `limit`, by surface in display order.
  package func firstPresentations(limit: Int) async throws -> [Presentation] {
    let call = HTTPCall(.GET, QueryString.path(APIPath.presentations, ["limit": String(limit)]))
    let page = try await once { try await json(call) }
    do {
      var found: [Presentation] = []
      for json in page["presentations"]?.array ?? [] { found.append(try Presentation(json: json)) }
      return found
    } catch {
      throw http.misunderstood(error.description)
    }
  }
}
