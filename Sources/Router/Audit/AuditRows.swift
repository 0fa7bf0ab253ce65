extension Presentation {
  /// The columns of `presentations AS p` in the order that ``init(row:from:)`` expects.
  static let columns = """
    p.id, p.state, p.covered, p.generation, p.attached, p.app, p.uid, p.gid, p.pid, p.executable, p.unit, p.host, \
    p.request, p.requested_at, p.presented_at, p.resolved_at, p.result, p.resolved_by, p.callback, \
    p.number, p.lane, p.round, p.rank, p.level, p.idempotency_key, p.request_hash, p.directory, p.ancestry, \
    p.executable_doubt
    """

  /// Reads a row of `presentations`.
  init(row: SQLiteStatement, from first: Int32) throws {
    func text(_ column: Int32) -> String? { row.text(first + column) }
    func integer(_ column: Int32, _ name: String, in range: ClosedRange<Int> = SQLiteStatement.counts) throws -> Int {
      try row.checked(first + column, name, in: range)
    }
    func damaged(_ column: String) -> JSONError { JSONError("the column \(column) cannot be read", at: text(0) ?? "") }
    func json(_ column: Int32) throws -> JSONValue? { try text(column).map(JSONValue.init(stored:)) }
    guard let id = text(0).flatMap(PresentationID.init) else { throw damaged("id") }
    guard let state = text(1).flatMap(State.init) else { throw damaged("state") }
    guard let request = try json(12).map({ try PresentationRequest(accepted: $0) }) else { throw damaged("request") }
    guard let requestedAt = text(13).flatMap(Timestamp.init) else { throw damaged("requested_at") }
    let process = ProcessIdentity(
      uid: UInt32(try integer(6, "uid", in: 0...Int(UInt32.max))),
      gid: UInt32(try integer(7, "gid", in: 0...Int(UInt32.max))),
      pid: Int32(try integer(8, "pid", in: 0...Int(Int32.max))), executable: text(9),
      executableDoubt: try text(28).map { text in
        guard let doubt = ProcessIdentity.ExecutableDoubt(rawValue: text) else { throw damaged("executable_doubt") }
        return doubt
      }, unit: text(10), host: text(11) ?? "", directory: text(26),
      ancestry: try json(27).map { try ProcessIdentity.ancestry(json: $0) })
    let place = PresentationPlace(
      lane: try integer(20, "lane", in: 0...PresentationPlace.laneCount - 1), round: try integer(21, "round"),
      rank: try integer(22, "rank", in: -SQLiteStatement.counts.upperBound...SQLiteStatement.counts.upperBound))
    self.init(
      id: id, attached: try integer(4, "attached", in: 0...1) != 0,
      asked: Asked(
        requester: Requester(app: text(5) ?? "", process: process), request: request, at: requestedAt,
        number: try integer(19, "number"),
        key: text(24).map { IdempotencyKey(text: $0, requestHash: row.blob(first + 25)) }),
      place: place, level: try integer(23, "level"))
    self.state = state
    covered = try integer(2, "covered", in: 0...1) != 0
    generation = try integer(3, "generation")
    presentedAt = text(14).flatMap(Timestamp.init)
    resolvedAt = text(15).flatMap(Timestamp.init)
    let recorded = try json(16).map { try RecordedOutcome(json: $0) }
    outcome = recorded?.outcome
    isSuppressed = recorded?.isSuppressed ?? false
    resolvedBy = try json(17).map { try Resolver(json: $0, at: "") }
    callback = try json(18).map { try CallbackState(json: $0, at: "") }
  }
}

extension AuditEvent {
  static let columns = "seq, at, type, presentation, detail"

  init(row: SQLiteStatement) throws {
    guard let at = row.text(1).flatMap(Timestamp.init), let kind = row.text(2).flatMap(Kind.init),
      let detail = row.text(4)
    else { throw JSONError("the event \(row.integer(0)) cannot be read") }
    self.init(
      seq: Int64(try row.checked(0, "seq")), at: at, kind: kind, presentation: row.text(3).flatMap(PresentationID.init),
      detail: try JSONValue(stored: detail))
  }
}

extension SQLiteStatement {
  /// The accepted range of numbers, small enough for arithmetic without overflow.
  static let counts = 0...JSONObjectReader.largestInteger

  /// Reads an integer and checks its range, since the file may be damaged.
  func checked(_ column: Int32, _ name: String, in range: ClosedRange<Int> = counts) throws(JSONError) -> Int {
    let number = integer(column)
    guard let number = Int(exactly: number), range.contains(number) else {
      throw JSONError("the column \(name) is out of range: \(number)")
    }
    return number
  }
}

extension JSONValue {
  fileprivate init(stored text: String) throws(JSONError) {
    try self.init(parsing: text, maximumDepth: Self.maximumWrappedDepth)
  }
}
