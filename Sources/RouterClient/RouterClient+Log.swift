public import Router

/// The log over the daemon: for those who have the role `audit` and may not read the database.
extension RouterClient {
  /// A page of the log's events, the newest first: `{"events":[…],"next":"cursor"}`.
  ///
  /// - Parameter query: The filters of `GET /v1/log/events` by name.
  public func logEvents(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    try await json(HTTPCall(.GET, Self.path(APIPath.logEvents, query)))
  }

  /// Counts presentations, as `GET /v1/log/stats` does.
  public func logStatistics(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    try await json(HTTPCall(.GET, Self.path(APIPath.logStatistics, query)))
  }

  /// Gives the events after one as they come to be on record, until the daemon goes away or the task is cancelled.
  ///
  /// - Parameters:
  ///   - seq: The last event that was seen.
  ///   - query: The filters of `GET /v1/log/stream` by name.
  /// - Throws: ``RouterError``; what `receive` throws.
  public func followLog(
    after seq: Int64, _ query: KeyValuePairs<String, String?> = [:], receive: @Sendable (AuditEvent) async throws -> Void
  ) async throws {
    let headers: HeaderFields = ["Last-Event-ID": String(seq)]
    try await http.events(of: HTTPCall(.GET, Self.path(APIPath.logStream, query), headers: headers)) { event in
      do {
        try await receive(try AuditEvent(json: event.data))
      } catch let error as JSONError {
        throw http.misunderstood(error.description)
      }
    }
  }

  /// Prunes what happened before a time off the beginning of the record. Returns when the file has been swept.
  public func pruneLog(before: Timestamp) async throws -> AuditPruning {
    let reply = try await json(HTTPCall(.POST, APIPath.logPrune, json: PruneBody(before: before).jsonText))
    return AuditPruning(json: reply)
  }

  private static func path(_ path: String, _ query: KeyValuePairs<String, String?>) -> String {
    var path = QueryString(path: path)
    for (name, value) in query { path.add(name, value) }
    return path.text
  }
}
