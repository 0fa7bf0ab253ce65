public import Router

extension RouterClient {
  /// Every surface with what it shows, how many wait and who presents: `{"surfaces":[…]}`.
  public func surfaces() async throws -> JSONValue {
    try await now(HTTPCall(.GET, APIPath.surfaces))
  }

  /// The daemon's version, uptime and state.
  public func status() async throws -> JSONValue {
    try await now(HTTPCall(.GET, APIPath.status))
  }

  /// Whether the daemon is ready.
  ///
  /// - Throws: ``RouterError`` if it is not, or is not there.
  public func checkHealth() async throws {
    if let error = try await http.reply(to: HTTPCall(.GET, APIPath.health)).error { throw error }
  }

  /// A page of the log, newest first: `{"presentations":[…],"next":"cursor"}`.
  ///
  /// - Parameter query: The filters of `GET /v1/log` by name, such as `since`, `outcome` and `cursor`.
  public func log(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    var path = QueryString(path: APIPath.log)
    for (name, value) in query { path.add(name, value) }
    let call = HTTPCall(.GET, path.text)
    return try await calling(isRepeatable: true) { _ in try await json(call) }
  }

  /// What happened to one presentation, oldest first: `{"events":[…]}`.
  public func events(of id: PresentationID) async throws -> JSONValue {
    try await calling(isRepeatable: true) { _ in try await json(HTTPCall(.GET, APIPath.log(id))) }
  }

  /// What is so now. A daemon that is away is not waited for: that is the answer.
  private func now(_ call: HTTPCall) async throws -> JSONValue {
    do {
      return try await json(call)
    } catch let failure as Reconnection.Failure {
      throw failure.error
    }
  }

  /// A link that lets one browser into the page, once and within its lifetime: `{"url":"http://…","lifetime":300}`.
  ///
  /// - Throws: ``RouterError`` with `notFound` where the daemon serves no page.
  public func webLink() async throws -> JSONValue {
    try await json(HTTPCall(.POST, APIPath.webLink))
  }
}
