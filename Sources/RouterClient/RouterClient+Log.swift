public import Router

/// The log, read through the daemon: for users with the role `audit` who cannot read the database.
extension RouterClient {
  /// Returns a page of the log's events, newest first: `{"events":[…],"next":"cursor"}`. `query` has the filters by
  /// name.
  public func logEvents(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, QueryString.path(APIPath.logEvents, query))) }
  }

  /// Returns statistics, as `GET /v1/log/stats` does.
  public func logStatistics(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    try await once { try await json(HTTPCall(.GET, QueryString.path(APIPath.logStatistics, query))) }
  }

  /// Streams the events after a sequence number as they are recorded, until the daemon goes away or the task is
  /// canceled.
  ///
  /// - Parameter seq: The number of the last event seen.
  /// - Throws: ``RouterError``; any error of `receive`.
  public func followLog(
    after seq: Int64, _ query: KeyValuePairs<String, String?> = [:], receive: @Sendable (AuditEvent) async throws -> Void
  ) async throws {
    let headers: HeaderFields = ["Last-Event-ID": String(seq)]
    let call = HTTPCall(.GET, QueryString.path(APIPath.logStream, query), headers: headers)
    try await once { try await http.attemptEvents(of: call) { try await receive(try AuditEvent(json: $0.data)) } }
  }

  /// Prunes the events before a time. Returns once the freed space has been returned to the file system.
  public func pruneLog(before: Timestamp) async throws -> AuditPruning {
    let call = HTTPCall(.POST, APIPath.logPrune, json: PruneBody(before: before).jsonText)
    return AuditPruning(json: try await once { try await json(call) })
  }
}
