public import Router

/// Reads the log through the daemon, for users with the role `audit` who cannot read the database.
extension RouterClient {
  /// The log's presentations that match a query, newest first, like ``AuditReader/presentations(_:)``. Iterating throws
  /// ``RouterError`` with `invalid` for an invalid search, `forbidden` without the role.
  public func logPresentations(_ query: AuditQuery = AuditQuery()) -> AsyncThrowingStream<Presentation, any Error> {
    query.rows { try await self.logPresentationPage($0) }
  }

  /// The log's events that match a query, newest first. Iterating throws the same errors as ``logPresentations(_:)``.
  public func logEvents(_ query: AuditQuery = AuditQuery()) -> AsyncThrowingStream<AuditEvent, any Error> {
    query.rows { try await self.logEventPage($0) }
  }

  package func logPresentationPage(_ query: AuditQuery = AuditQuery()) async throws -> (page: [Presentation], next: Int64?) {
    let reply = try await log(query.parameters(isPage: true))
    return try understand { try Page<Presentation>(reply: reply).parts }
  }

  package func logEventPage(_ query: AuditQuery = AuditQuery()) async throws -> (page: [AuditEvent], next: Int64?) {
    let call = HTTPCall(.GET, QueryString.path(APIPath.logEvents, query.parameters(isPage: true)))
    let reply = try await once { try await json(call) }
    return try understand { try Page<AuditEvent>(reply: reply).parts }
  }

  /// Returns all events of a presentation, oldest first. Reads them page by page.
  ///
  /// - Throws: ``RouterError`` with `notFound` if the log has no such presentation.
  public func logEvents(of id: PresentationID) async throws -> [AuditEvent] {
    var (events, cursor) = ([AuditEvent](), String?.none)
    repeat {
      let call = HTTPCall(.GET, QueryString.path(APIPath.log(id), ["limit": "1000", "cursor": cursor]))
      let reply = try await calling(isRepeatable: true) { _ in try await json(call) }
      let page = try understand { try Page<AuditEvent>(reply: reply) }
      events += page.elements
      cursor = page.next
    } while cursor != nil
    return events
  }

  /// Returns statistics. The daemon counts days in UTC.
  ///
  /// - Parameter dimensions: The groups to count (default: all).
  package func logStatistics(
    _ query: AuditQuery = AuditQuery(), by dimensions: Set<AuditStatistics.Dimension> = []
  ) async throws -> AuditStatistics {
    let by = dimensions.isEmpty ? nil : dimensions.map(\.rawValue).sorted().joined(separator: ",")
    let path = QueryString.path(APIPath.logStatistics, query.parameters(isPage: false, by: by))
    let reply = try await once { try await json(HTTPCall(.GET, path)) }
    return try understand { try AuditStatistics(reply: reply) }
  }

  /// Streams the events after a sequence number as they are recorded, until the daemon goes away or the task is
  /// canceled.
  ///
  /// - Parameter seq: The number of the last event seen.
  /// - Throws: ``RouterError``; any error of `receive`.
  public func followLog(
    after seq: Int64, _ query: AuditQuery = AuditQuery(), receive: @Sendable (AuditEvent) async throws -> Void
  ) async throws {
    try await followChain(after: seq, query) { page in for event in page { try await receive(event.event) } }
  }

  /// Like ``followLog(after:_:receive:)``, with the events' hashes, and in batches of events that arrived together.
  package func followChain(
    after seq: Int64, _ query: AuditQuery = AuditQuery(), receive: @Sendable ([ChainedEvent]) async throws -> Void
  ) async throws {
    let headers: HeaderFields = ["Last-Event-ID": String(seq)]
    let call = HTTPCall(.GET, QueryString.path(APIPath.logStream, query.parameters(isPage: false)), headers: headers)
    try await once {
      try await http.attemptEvents(of: call) { try await receive(try $0.map { try ChainedEvent(json: $0.data) }) }
    }
  }

  /// Returns the newest event up to a number, with its hash; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - seq: The highest number (default: any).
  ///   - surface: A shared surface; reads its log instead.
  package func chainedEvent(upTo seq: Int64?, surface: String? = nil) async throws -> ChainedEvent? {
    let path = QueryString.path(
      APIPath.logEvents, ["limit": "1", "cursor": seq.map { String($0 + 1) }, "surface": surface])
    let reply = try await once { try await json(HTTPCall(.GET, path)) }
    return try understand { try Page<ChainedEvent>(reply: reply).elements.first }
  }

  /// Prunes the events before a time. Returns once the freed space has been returned to the file system. Throws ``RouterError``
  /// with the code `forbidden` without the role `admin`.
  ///
  /// - Parameter surface: A shared surface led by this host; prunes its log instead.
  public func pruneLog(before: Timestamp, surface: String? = nil) async throws -> AuditLog.Pruning {
    let call = HTTPCall(.POST, APIPath.logPrune, json: PruneBody(before: before, surface: surface).jsonText)
    let reply = try await once { try await json(call) }
    return try understand { try AuditLog.Pruning(reply: reply) }
  }

  /// Returns a page of the log as JSON: `{"presentations":[…],"next":"cursor"}`. `query` contains the filters by name.
  package func log(_ query: KeyValuePairs<String, String?> = [:]) async throws -> JSONValue {
    let call = HTTPCall(.GET, QueryString.path(APIPath.log, query))
    return try await calling(isRepeatable: true) { _ in try await json(call) }
  }

  private func understand<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as JSONError {
      throw RouterError(.unreachable, "cannot parse routerd's reply to a query of the log", cause: error)
    }
  }
}

extension Page {
  fileprivate var parts: (page: [Element], next: Int64?) { (elements, next.flatMap { Int64($0) }) }
}

extension AuditQuery {
  fileprivate func parameters(isPage: Bool, by dimensions: String? = nil) -> KeyValuePairs<String, String?> {
    func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: ",") }
    return [
      "since": since?.description, "until": until?.description, "id": list(ids.map(\.description)),
      "app": list(apps), "uid": list(uids.map(String.init)), "surface": list(surfaces),
      "kind": list(kinds.map(\.rawValue)), "sheet": list(sheets), "outcome": list(outcomes.map(\.rawValue)),
      "reason": list(reasons), "answer": list(answers.map(\.rawValue)), "decidedBy": list(deciders.map(\.rawValue)),
      "unreported": isUnreported ? "true" : nil, "search": search,
      "limit": isPage ? String(limit) : nil, "cursor": isPage ? cursor.map(String.init) : nil, "by": dimensions,
    ]
  }
}
