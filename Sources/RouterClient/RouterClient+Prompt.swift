public import Router

extension RouterClient {
  /// How an open presentation reads to a person, and in how many seconds it expires: `{"prompt":{…},"timeLeft":300}`.
  public func prompt(of id: PresentationID) async throws -> JSONValue {
    try await json(HTTPCall(.GET, APIPath.prompt(id)))
  }
}
