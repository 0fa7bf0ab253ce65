public import Router

extension RouterClient {
  /// Every surface with what it shows, how many wait and who presents: `{"surfaces":[…]}`.
  public func surfaces() async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.surfaces)) }
  }

  /// The daemon's version, uptime and state.
  public func status() async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.status)) }
  }

  /// Checks that the daemon is ready; throws ``RouterError`` if it is not, or cannot be reached.
  public func checkHealth() async throws {
    if let error = try await http.reply(to: HTTPCall(.GET, APIPath.health)).error { throw error }
  }

  /// A page of the log, newest first: `{"presentations":[…],"next":"cursor"}`. `query` has the filters by name.
  public func log(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    let call = HTTPCall(.GET, QueryString.path(APIPath.log, query))
    return try await calling(isRepeatable: true) { _ in try await json(call) }
  }

  /// What happened to one presentation, oldest first: `{"events":[…]}`. It is read page by page.
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

  /// How an open presentation reads to a person, and in how many seconds it expires: `{"prompt":{…},"timeLeft":300}`.
  public func prompt(of id: PresentationID) async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, APIPath.prompt(id))) }
  }

  /// A link that lets one browser into the page, once and within its lifetime: `{"url":"http://…","lifetime":300}`.
  ///
  /// - Parameter user: The name or number of the user whose browser may open it; your own user by default. Another user takes
  ///   the role `admin`, and is recorded.
  /// - Throws: ``RouterError`` with `notFound` where the daemon serves no page.
  public func webLink(for user: String? = nil) async throws -> JSONValue {
    let call = HTTPCall(.POST, APIPath.webLink, json: WebLinkBody(user: user).jsonText)
    return try await once { try await json(call) }
  }
}
