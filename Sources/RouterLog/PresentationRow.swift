import RouterCore

/// The columns of a presentation's row. The same list writes rows, reads them, and compares them in `log verify`.
struct PresentationRow {
  struct Column: Sendable {
    let name: String
    /// Whether the column contains JSON, which is compared after parsing.
    var isJSON = false
    /// Whether the column can change after the request.
    var changes = false
    let value: @Sendable (Presentation) -> SQLiteValue
    /// Decodes the value; `nil` if the column duplicates a part of another one for queries.
    let read: (@Sendable (inout PresentationRow, Cell) throws -> Void)?
  }

  /// Every column of `presentations`, in the order of the schema.
  static let columns: [Column] = [
    Column(name: "number", value: { .int($0.number) }) { $0.number = try $1.integer() },
    Column(name: "id", value: { .text($0.id.description) }) { $0.id = try $1.required(PresentationID.init) },
    Column(name: "surface", value: { .text($0.request.surface) }, read: nil),
    Column(name: "kind", value: { .text($0.request.kind.rawValue) }, read: nil),
    Column(name: "sheet", value: { .optional($0.request.sheet) }, read: nil),
    Column(name: "app", value: { .text($0.requester.app) }) { $0.app = $1.text ?? "" },
    Column(name: "uid", value: { .int($0.requester.process.uid) }) { $0.process.uid = try $1.unsigned() },
    Column(name: "gid", value: { .int($0.requester.process.gid) }) { $0.process.gid = try $1.unsigned() },
    Column(name: "pid", value: { .int($0.requester.process.pid) }) {
      $0.process.pid = Int32(try $1.integer(in: 0...Int(Int32.max)))
    },
    Column(name: "login_uid", value: { $0.requester.process.loginUser.map { .int($0) } ?? .null }) {
      $0.process.loginUser = $1.text == nil ? nil : try $1.unsigned()
    },
    Column(name: "executable", value: { .optional($0.requester.process.executable) }) { $0.process.executable = $1.text },
    Column(name: "executable_doubt", value: { .optional($0.requester.process.executableDoubt?.rawValue) }) {
      $0.process.executableDoubt = try $1.optional(ProcessIdentity.ExecutableDoubt.init)
    },
    Column(name: "unit", value: { .optional($0.requester.process.unit) }) { $0.process.unit = $1.text },
    Column(name: "host", value: { .text($0.requester.process.host) }) { $0.process.host = $1.text ?? "" },
    Column(name: "directory", value: { .optional($0.requester.process.directory) }) { $0.process.directory = $1.text },
    Column(name: "ancestry", isJSON: true, value: { .optional($0.requester.process.ancestryText) }) {
      $0.process.ancestry = try $1.json { try ProcessIdentity.ancestry(json: $0) }
    },
    Column(name: "title", value: { .optional($0.request.title) }, read: nil),
    Column(name: "message", value: { .optional($0.request.message) }, read: nil),
    Column(name: "parent", value: { .optional($0.request.over?.description) }, read: nil),
    Column(name: "requested_at", value: { .text($0.requestedAt.description) }) {
      $0.requestedAt = try $1.required(Timestamp.init)
    },
    Column(name: "idempotency_key", value: { .optional($0.key?.text) }) { $0.key = $1.text },
    Column(name: "request_hash", value: { $0.key.map { .blob($0.requestHash) } ?? .null }) { $0.requestHash = $1.blob },
    Column(name: "state", changes: true, value: { .text($0.state.rawValue) }) {
      $0.state = try $1.required(Presentation.State.init)
    },
    Column(name: "attached", changes: true, value: { .bool($0.attached) }) { $0.attached = try $1.bool() },
    Column(name: "lane", changes: true, value: { .int($0.place.lane) }) {
      $0.place.lane = try $1.integer(in: 0...PresentationPlace.laneCount - 1)
    },
    Column(name: "round", changes: true, value: { .int($0.place.round) }) { $0.place.round = try $1.integer() },
    Column(name: "rank", changes: true, value: { .int($0.place.rank) }) {
      $0.place.rank = try $1.integer(in: -SQLiteStatement.counts.upperBound...SQLiteStatement.counts.upperBound)
    },
    Column(name: "level", changes: true, value: { .int($0.level) }) { $0.level = try $1.integer() },
    Column(name: "covered", changes: true, value: { .bool($0.covered) }) { $0.covered = try $1.bool() },
    Column(name: "generation", changes: true, value: { .int($0.generation) }) { $0.generation = try $1.integer() },
    Column(name: "presented_at", changes: true, value: { .optional($0.presentedAt?.description) }) {
      $0.presentedAt = try $1.optional(Timestamp.init)
    },
    Column(name: "resolved_at", changes: true, value: { .optional($0.resolvedAt?.description) }) {
      $0.resolvedAt = try $1.optional(Timestamp.init)
    },
    Column(name: "outcome", changes: true, value: { .optional($0.outcome?.name.rawValue) }, read: nil),
    Column(name: "reason", changes: true, value: { .optional($0.outcome?.reason ?? $0.answerKind?.rawValue) }, read: nil),
    Column(name: "result", isJSON: true, changes: true, value: { .optional($0.recordedOutcome?.jsonText) }) {
      $0.outcome = try $1.json { try RecordedOutcome(json: $0) }
    },
    Column(name: "resolved_by", isJSON: true, changes: true, value: { .optional($0.resolvedBy?.jsonText) }) {
      $0.resolvedBy = try $1.json { try Presentation.Responder(json: $0, at: "") }
    },
    Column(name: "settled_by", changes: true, value: { .optional($0.because?.description) }) {
      $0.because = try $1.optional(Presentation.Authority.init)
    },
    Column(
      name: "approvals", isJSON: true, changes: true,
      value: { presentation in
        presentation.approvals.isEmpty ? .null : .json(JSONText { $0.add("approvals", presentation.approvals) })
      }
    ) {
      $0.approvals = try $1.json { try Presentation.approvals(json: $0) } ?? []
    },
    Column(name: "callback", isJSON: true, changes: true, value: { .optional($0.callback?.jsonText) }) {
      $0.callback = try $1.json { try Presentation.Callback(json: $0, at: "") }
    },
    Column(name: "callback_state", changes: true, value: { .optional($0.callback?.state.rawValue) }, read: nil),
    Column(name: "ran", isJSON: true, changes: true, value: { .optional($0.ran?.jsonText) }) {
      $0.ran = try $1.json { try Presentation.Ran(json: $0, at: "") }
    },
    Column(name: "request", isJSON: true, value: { .json($0.asked.requestText) }) {
      $0.request = try $1.json { try PresentationRequest(accepted: $0) }
    },
    Column(name: "ruled", isJSON: true, value: { .optional($0.ruling?.jsonText) }) {
      $0.ruling = try $1.json { try Ruling(json: $0) }
    },
  ]

  fileprivate static let read = columns.filter { $0.read != nil }
  /// The columns of `presentations AS p` that ``Presentation/init(row:from:)`` reads.
  static let readColumns = read.map { "p.\($0.name)" }.joined(separator: ", ")

  fileprivate var id: PresentationID?
  fileprivate var (number, app, key, requestHash) = (0, "", String?.none, [UInt8]())
  fileprivate var process = ProcessIdentity.Fields(uid: 0, gid: 0, pid: 0, host: "")
  fileprivate var request: PresentationRequest?
  fileprivate var ruling: Ruling?
  fileprivate var requestedAt: Timestamp?
  fileprivate var (state, attached, covered) = (Presentation.State.queued, false, false)
  fileprivate var place = PresentationPlace(lane: 0, rank: 0)
  fileprivate var (level, generation) = (0, 0)
  fileprivate var (presentedAt, resolvedAt) = (Timestamp?.none, Timestamp?.none)
  fileprivate var outcome: RecordedOutcome?
  fileprivate var resolvedBy: Presentation.Responder?
  fileprivate var because: Presentation.Authority?
  fileprivate var approvals: [Presentation.Approval] = []
  fileprivate var callback: Presentation.Callback?
  fileprivate var ran: Presentation.Ran?
}

extension Presentation {
  /// Reads a row of ``PresentationRow/readColumns``, from the statement's column `first` on.
  init(row statement: SQLiteStatement, from first: Int32) throws {
    var row = PresentationRow()
    for (index, column) in PresentationRow.read.enumerated() {
      try column.read?(&row, PresentationRow.Cell(statement: statement, column: first + Int32(index), name: column.name))
    }
    guard let id = row.id, let request = row.request, let requestedAt = row.requestedAt else {
      throw JSONError("the column request cannot be read")
    }
    let asked = Asked(
      requester: Presentation.Requester(app: row.app, process: ProcessIdentity(row.process)), request: request,
      ruling: row.ruling, at: requestedAt, number: row.number,
      key: row.key.map { IdempotencyKey(text: $0, requestHash: row.requestHash) })
    self.init(id: id, attached: row.attached, asked: asked, place: row.place, level: row.level)
    (state, covered, generation) = (row.state, row.covered, row.generation)
    (presentedAt, resolvedAt) = (row.presentedAt, row.resolvedAt)
    (outcome, extra) = (row.outcome?.outcome, row.outcome?.extra ?? AnswerExtra())
    (resolvedBy, because, approvals, callback) = (row.resolvedBy, row.because, row.approvals, row.callback)
    ran = row.ran
  }
}

extension PresentationRow {
  /// A stored value, which may be damaged.
  struct Cell {
    let statement: SQLiteStatement
    let column: Int32
    let name: String

    var text: String? { statement.text(column) }
    var blob: [UInt8] { statement.blob(column) }

    func integer(in range: ClosedRange<Int> = SQLiteStatement.counts) throws(JSONError) -> Int {
      try statement.checked(column, name, in: range)
    }

    func unsigned() throws(JSONError) -> UInt32 { UInt32(try integer(in: 0...Int(UInt32.max))) }

    func bool() throws(JSONError) -> Bool { try integer(in: 0...1) != 0 }

    func required<Value>(_ parse: (String) -> Value?) throws(JSONError) -> Value {
      guard let value = text.flatMap(parse) else { throw JSONError("the column \(name) cannot be read") }
      return value
    }

    func optional<Value>(_ parse: (String) -> Value?) throws(JSONError) -> Value? {
      text == nil ? nil : try required(parse)
    }

    func json<Value>(_ decode: (JSONValue) throws -> Value) throws -> Value? {
      try text.map { try decode(JSONValue(stored: $0)) }
    }
  }
}
