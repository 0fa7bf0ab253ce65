import RouterCore

/// Walks the log, folds its events, and compares each presentation with its row once no event can change it. Keeps only open
/// presentations in memory.
struct AuditVerifier {
  struct Span: Sendable {
    let first: Int64
    let head: AuditHead
    /// The recorded `pruned` events.
    let prunings: [(seq: Int64, at: Timestamp, detail: Event.Pruned)]
    /// The hash before the first event; `nil` while pruned events are being removed from the file.
    let start: [UInt8]?

    /// The number of the last pruned event.
    var cut: Int64 { prunings.last?.detail.anchor.seq ?? 0 }
  }

  private static let maximumFaults = 20

  let connection: SQLiteConnection
  let span: Span
  private(set) var events = 0
  private(set) var presentations = 0
  private(set) var faults: [AuditVerification.Fault] = []
  private let hours: (events: HourRuns, presentations: HourRuns)
  private var open: [PresentationID: Presentation] = [:]
  /// The upcoming pruning cuts, with the presentations carried over each.
  private var cuts: [(anchor: AuditHead, carried: [PresentationID: Presentation])]
  /// The upcoming reports for presentations that have been compared.
  private var reports: Set<Int64> = []
  /// Whether `open` contains every open presentation.
  private var isComplete: Bool
  private var lastNumber = 0
  /// The upcoming `pruned` events. Each contains the highest number requested before it.
  private var prunings: ArraySlice<(seq: Int64, at: Timestamp, detail: Event.Pruned)>
  private var chain: AuditHead
  /// The last event that the rows include. Later events are checked without rows.
  private let cursor: Int64
  private var isPastCursor = false

  init(_ connection: SQLiteConnection, _ span: Span) throws {
    self.connection = connection
    self.span = span
    hours = (try HourRuns(.events, connection), try HourRuns(.presentations, connection))
    chain = AuditHead(seq: span.first &- 1, hash: span.start ?? [])
    cursor = try AuditProjector.cursor(connection)
    isComplete = span.first == 1
    prunings = span.prunings[...]
    cuts = span.prunings.map(\.detail).filter { $0.anchor.seq >= span.first &- 1 }.map { pruned in
      (pruned.anchor, Dictionary(pruned.carried.map { ($0.id, $0) }) { $1 })
    }
  }

  mutating func walk(progress: (Double) -> Void) throws {
    guard span.first >= 1, span.first &- 1 <= span.cut else {
      faults.append(.init(seq: span.cut &+ 1, what: "it is missing"))
      return
    }
    try connection.forEachRow("SELECT \(AuditRecord.columns) FROM events ORDER BY seq") { row in
      while let cut = cuts.first, row.integer(0) > cut.anchor.seq { try pass(cut.carried) }
      if !isPastCursor, row.integer(0) > cursor { try passCursor() }
      let fault = try check(row)
      if let fault { faults.append(fault) }
      events += 1
      if events % 10_000 == 0 {
        try Task.checkCancellation()
        progress(Double(events) / Double(max(1, span.head.seq &- span.first)))
      }
      return fault == nil && faults.count < Self.maximumFaults
    }
    guard faults.isEmpty else { return }
    guard cursor <= chain.seq else {
      faults.append(.init(column: "projected.seq", what: "the rows claim to include events that are not on record"))
      return
    }
    guard try connection.integer("SELECT count(*) FROM projected") == 1 else {
      faults.append(.init(column: "projected.seq", what: "the table projected does not have one row"))
      return
    }
    if !isPastCursor { try passCursor() }
  }

  /// Compares the presentations that are open at the end of the rows.
  private mutating func passCursor() throws {
    for presentation in open.values.sorted(by: { $0.number < $1.number }) { try compare(presentation) }
    isPastCursor = true
  }

  /// Checks an event's position in the chain and folds it.
  private mutating func check(_ row: SQLiteStatement) throws -> AuditVerification.Fault? {
    // Checked before the columns are read, which converts them.
    let hasTypes =
      [1, 2, 4].allSatisfy { row.type($0) == .text } && row.type(5) == .blob && (row.isNull(3) || row.type(3) == .text)
    let record = AuditRecord(row: row)
    let seq = record.seq
    guard seq == chain.seq &+ 1 else { return .init(seq: chain.seq &+ 1, what: "it is missing") }
    let isFirst = seq == span.first && span.start == nil
    var follows = chain
    chain = AuditHead(seq: seq, hash: record.hash)
    if let anchor = cuts.first?.anchor, seq == anchor.seq, chain.hash != anchor.hash {
      return .init(seq: seq, what: "its hash differs from the one in the event \"pruned\"")
    }
    // The previous hash is gone. The next event's hash covers this one.
    if isFirst { return nil }
    guard hasTypes else { return .init(seq: seq, what: "a column has a type that Router does not write") }
    follows.append(record)
    guard follows == chain else {
      return .init(seq: seq, what: "its hash does not match its content and the hash before it")
    }
    let id = record.presentation.flatMap(PresentationID.init)
    do {
      let event = try record.event()
      guard event.at.description == record.at, event.presentation?.description == record.presentation else {
        throw JSONError("its time or prompt is not one that Router writes")
      }
      try fold(event, seq)
      guard hours.events.match(seq, row, 1) else { return .init(seq: seq, what: "the table hours lists it under another hour") }
      return nil
    } catch let error as JSONError {
      return .init(seq: seq, presentation: id, what: "it cannot be read: \(error.description.shortened)")
    } catch let error as FoldError {
      return .init(seq: seq, presentation: id, what: "it contradicts the events before it: \(error)")
    }
  }

  private mutating func fold(_ event: Event, _ seq: Int64) throws {
    var presentation: Presentation
    switch event.detail {
    case .presenterAttached, .presenterDetached, .daemonStarted, .daemonStopped, .pageLinkIssued, .revoked, .resumed,
      .rulesLoaded, .switched, .pruned:
      if case .pruned = event.detail, !span.prunings.contains(where: { $0.seq == seq }) {
        throw FoldError("the index of the events \"pruned\" does not have it")
      }
      guard event.presentation == nil else { throw FoldError("\(event.kind.rawValue) is not about a prompt") }
      return
    case .delivered, .throttled, .accessDenied:
      // These events change nothing, and may follow the end.
      return
    case .ran:
      // Its callback is still pending.
      if let id = event.presentation, open[id] != nil {
        try open[id]?.apply(event)
        return
      }
      // Otherwise its request was pruned, perhaps before the report arrived.
      guard reports.remove(seq) != nil || span.cut > 0 else {
        throw FoldError("its prompt was not approved, or has a report already")
      }
      return
    case .requested(let asked):
      presentation = try Presentation(event)
      while let pruning = prunings.first, pruning.seq < seq {
        lastNumber = max(lastNumber, pruning.detail.lastNumber)
        prunings.removeFirst()
      }
      if let pruning = prunings.first, asked.number > pruning.detail.lastNumber {
        throw FoldError("its number is higher than the event \"pruned\" \(pruning.seq) says")
      }
      guard asked.number > lastNumber, open[presentation.id] == nil else {
        throw FoldError("the number of the request does not rise")
      }
      lastNumber = asked.number
    default:
      guard let id = event.presentation, let known = open.removeValue(forKey: id) else {
        // Its request was pruned.
        guard isComplete else { return }
        if event.isOfCallback, try repeatsCallback(event, seq) { return }
        throw FoldError("its prompt was not requested or has ended")
      }
      presentation = known
      try presentation.apply(event)
    }
    if presentation.isSettled { try settle(presentation) } else { open[presentation.id] = presentation }
  }

  /// Whether an event repeats a final callback result, which has no effect: earlier leaders of shared surfaces could record it.
  /// Its presentation may have been pruned.
  private func repeatsCallback(_ event: Event, _ seq: Int64) throws -> Bool {
    guard let id = event.presentation else { return false }
    guard let settled = try AuditFold(connection).presentation(id, through: seq - 1) else { return span.cut > 0 }
    return settled.state == .resolved && settled.callback.map { $0.state != .pending } ?? false
  }

  /// Compares a presentation that no event can change, unless it is carried over the next cut and compared there.
  private mutating func settle(_ presentation: Presentation) throws {
    if isCarriedAlike(presentation) { return }
    // If all of its events were pruned, its row is removed sooner or later.
    try compare(try reported(presentation), isOptional: !cuts.isEmpty)
  }

  /// Returns an ended presentation including its later report, for comparison with its row.
  private mutating func reported(_ presentation: Presentation) throws -> Presentation {
    guard presentation.isUnreported else { return presentation }
    var copy = presentation
    try connection.forEachRow(
      """
      SELECT \(AuditRecord.columns) FROM events WHERE presentation = ? AND seq > ? AND type = 'ran' ORDER BY seq LIMIT 1
      """, [.text(presentation.id.description), .integer(chain.seq)]
    ) { row in
      let record = AuditRecord(row: row)
      // The walk itself reports an unreadable or invalid report.
      guard let event = try? record.event(), (try? copy.apply(event)) != nil else { return false }
      reports.insert(record.seq)
      if record.seq > cursor { copy.ran = nil }
      return false
    }
    return copy
  }

  /// Passes a cut, and continues with its carried presentations.
  private mutating func pass(_ carried: [PresentationID: Presentation]) throws {
    for presentation in open.values where !isCarriedAlike(presentation) {
      report(presentation, "it was open when the log was pruned, but the event \"pruned\" does not carry it")
    }
    cuts.removeFirst()
    open = carried.filter { !$0.value.isSettled }
    isComplete = true
    for presentation in carried.values where presentation.isSettled { try settle(presentation) }
  }

  /// Whether a presentation is carried over the next cut. Reports a fault if the carried state differs from the folded
  /// one.
  private mutating func isCarriedAlike(_ presentation: Presentation) -> Bool {
    guard let other = cuts.first?.carried[presentation.id] else { return false }
    if PresentationRecord(other).jsonText != PresentationRecord(presentation).jsonText {
      report(presentation, "the event \"pruned\" carries another state than its events give")
    }
    return true
  }

  private mutating func report(
    _ presentation: Presentation, _ what: String, column: String? = nil, _ difference: ValueDifference? = nil
  ) {
    faults.append(
      .init(
        presentation: presentation.id, column: column, expected: difference?.expected, found: difference?.found, what: what))
  }

  private static let columns = PresentationRow.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
  private static let byNumber = "SELECT \(columns) FROM presentations WHERE number = ?"
  private static let byID = "SELECT \(columns) FROM presentations WHERE id = ?"

  /// Compares a presentation with its row and with its search index entry.
  private mutating func compare(_ presentation: Presentation, isOptional: Bool = false) throws {
    guard !isPastCursor else { return }
    var rows = try compare(presentation, Self.byNumber, .int(presentation.number))
    if rows == 0 { rows = try compare(presentation, Self.byID, .text(presentation.id.description)) }
    presentations += rows
    guard rows > 0 else {
      if !isOptional { report(presentation, "its row is missing") }
      return
    }
    try compareWords(presentation)
  }

  private mutating func compare(_ presentation: Presentation, _ sql: String, _ key: SQLiteValue) throws -> Int {
    var rows = 0
    try connection.forEachRow(sql, [key]) { row in
      rows += 1
      for (index, column) in PresentationRow.columns.enumerated() {
        let expected = column.value(presentation)
        if let difference = ValueDifference(expected, isJSON: column.isJSON, in: row, Int32(index)) {
          report(presentation, "its row differs from its events", column: column.name, difference)
        }
      }
      if !hours.presentations.match(Int64(presentation.number), row, Self.requestedAt) {
        report(presentation, "the table hours lists it under another hour")
      }
      return true
    }
    return rows
  }

  private static let requestedAt = Int32(PresentationRow.columns.firstIndex { $0.name == "requested_at" } ?? 0)

  private mutating func compareWords(_ presentation: Presentation) throws {
    var isFound = false
    try connection.forEachRow(
      "SELECT title, message, sheet, answer FROM words WHERE rowid = ?", [.int(presentation.number)]
    ) { row in
      isFound = true
      for (index, value) in SearchableText(presentation).values.enumerated() {
        guard let difference = ValueDifference(value, in: row, Int32(index)) else { continue }
        let column = "words." + ["title", "message", "sheet", "answer"][index]
        report(presentation, "its search text differs from its events", column: column, difference)
      }
      return true
    }
    if !isFound { report(presentation, "its search text is missing") }
  }
}
