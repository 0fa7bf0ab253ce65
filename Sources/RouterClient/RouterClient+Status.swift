public import Router

extension RouterClient {
  /// Returns every surface with its stack, queue length and presenters: `{"surfaces":[…]}`.
  public func surfaces() async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.surfaces)) }
  }

  /// Returns the daemon's version, uptime and state.
  public func status() async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.status)) }
  }

  /// Checks that the daemon is ready. Throws ``RouterError`` if it is not ready or cannot be reached.
  public func checkHealth() async throws {
    if let error = try await http.reply(to: HTTPCall(.GET, APIPath.health)).error { throw error }
  }

  /// Returns a page of the log, newest first: `{"presentations":[…],"next":"cursor"}`. `query` has the filters by name.
  public func log(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    let call = HTTPCall(.GET, QueryString.path(APIPath.log, query))
    return try await calling(isRepeatable: true) { _ in try await json(call) }
  }

  /// Returns all events of a presentation, oldest first: `{"events":[…]}`. Reads them page by page.
  public func events(of id: PresentationID) async throws -> JSONValue {
    var (events, cursor) = ([JSONValue](), String?.none)
    repeat {
      let call = HTTPCall(.GET, QueryString.path(APIPath.log(id), ["limit": "1000", "cursor": cursor]))
      let page = try await calling(isRepeatable: true) { _ in try await json(call) }
      events += page["events"]?.array ?? []
      cursor = page["next"]?.string
    } while cursor != nil
    return ["events": .array(events)]
  }

  /// Returns an open presentation as display text, and the seconds until it expires: `{"prompt":{…},"timeLeft":300}`.
  public func prompt(of id: PresentationID) async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.prompt(id))) }
  }

  /// Creates a link that gives one browser access to the page, once and within its lifetime:
  /// `{"url":"http://…","lifetime":300}`.
  ///
  /// - Parameter user: The name or uid of the user whose browser may open it (default: your own). For another user, you
  ///   need the role `admin`, and the link is recorded.
  /// - Throws: ``RouterError`` with `notFound` if the daemon serves no page.
  public func webLink(for user: String? = nil) async throws -> JSONValue {
    let call = HTTPCall(.POST, APIPath.webLink, json: WebLinkBody(user: user).jsonText)
    return try await once { try await json(call) }
  }
}
