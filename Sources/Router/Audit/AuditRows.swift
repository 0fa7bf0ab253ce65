extension Presentation {
  /// The columns that ``init(row:from:)`` reads, in its order.
  static let columns = """
    id, state, covered, generation, attached, app, uid, gid, pid, executable, request, requested_at, presented_at, \
    resolved_at, result, resolved_by, callback, unit
    """
  static let columnCount: Int32 = 18

  /// The columns, of a table with another name in the query.
  static func columns(of table: String) -> String {
    columns.split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
  }

  /// Reads a row of `presentations`.
  init(row: SQLiteStatement, from first: Int32) throws {
    func text(_ column: Int32) -> String? { row.text(first + column) }
    func damaged(_ column: String) -> JSONError { JSONError("the column \(column) cannot be read", at: text(0) ?? "") }
    func json(_ column: Int32) throws -> JSONValue? { try text(column).map(JSONValue.init(stored:)) }
    guard let id = text(0).flatMap(PresentationID.init) else { throw damaged("id") }
    guard let state = text(1).flatMap(State.init) else { throw damaged("state") }
    guard let request = try json(10) else { throw damaged("request") }
    guard let requestedAt = text(11).flatMap(Timestamp.init) else { throw damaged("requested_at") }
    self.init(
      id: id, state: state, covered: row.integer(first + 2) != 0, generation: Int(row.integer(first + 3)),
      attached: row.integer(first + 4) != 0,
      requester: Requester(
        app: text(5) ?? "",
        process: ProcessIdentity(
          uid: UInt32(truncatingIfNeeded: row.integer(first + 6)), gid: UInt32(truncatingIfNeeded: row.integer(first + 7)),
          pid: Int32(truncatingIfNeeded: row.integer(first + 8)), executable: text(9), unit: text(17))),
      request: try PresentationRequest(accepted: request), requestedAt: requestedAt,
      presentedAt: text(12).flatMap(Timestamp.init), resolvedAt: text(13).flatMap(Timestamp.init),
      outcome: try json(14).map { try PresentationOutcome(json: $0) },
      resolvedBy: try json(15).map { try Resolver(json: $0, at: "") },
      callback: try json(16).map { try CallbackState(json: $0, at: "") })
  }
}

extension AuditRow {
  /// The columns that ``init(row:)`` reads, in its order.
  static let columns = "\(Presentation.columns), lane, rank, level, idempotency_key, request_hash"

  /// Reads a row of `presentations`.
  init(row: SQLiteStatement) throws {
    let first = Presentation.columnCount
    self.init(
      presentation: try Presentation(row: row, from: 0),
      place: PresentationPlace(lane: Int(row.integer(first)), rank: Int(row.integer(first + 1))),
      level: Int(row.integer(first + 2)),
      key: row.text(first + 3).map { IdempotencyKey(text: $0, requestHash: row.blob(first + 4)) })
  }
}

extension AuditEvent {
  static let columns = "seq, at, type, presentation, detail"

  /// Reads a row of `events`.
  init(row: SQLiteStatement) throws {
    guard let at = row.text(1).flatMap(Timestamp.init), let kind = row.text(2).flatMap(Kind.init),
      let detail = row.text(4)
    else { throw JSONError("the event \(row.integer(0)) cannot be read") }
    self.init(
      seq: row.integer(0), at: at, kind: kind, presentation: row.text(3).flatMap(PresentationID.init),
      detail: try JSONValue(stored: detail))
  }
}

extension JSONValue {
  /// Reads JSON that the log wrote itself.
  fileprivate init(stored text: String) throws(JSONError) {
    try self.init(parsing: text, maximumDepth: Self.maximumWrappedDepth)
  }
}
