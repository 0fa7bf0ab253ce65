/// The table `presentations` is what everybody reads, and it is not in the chain: it follows from the events, and here it is
/// found out whether it does.
extension AuditVerifier {
  /// Adds up what rows say: what was asked and by whom, how and when it ended.
  func sumUp(_ range: Range<Int64>, _ findings: inout Findings, progress: (Int) -> Void) throws {
    guard !range.isEmpty else { return }
    try connection.forEachRow(
      """
      SELECT id, app, uid, request, outcome, resolved_at, result FROM presentations
      WHERE number >= ? AND number < ? ORDER BY number
      """, [.integer(range.lowerBound), .integer(range.upperBound)]
    ) { row in
      findings.presentations += 1
      if findings.presentations % 20_000 == 0 {
        try Task.checkCancellation()
        progress(findings.presentations)
      }
      row.withBytes(0) { id in
        row.withBytes(1) { app in
          row.withText(2) { uid in
            row.withBytes(3) { findings.rows.addRequest(of: id, app: app, uid: uid, request: $0) }
          }
        }
        guard !row.isNull(4) else { return }
        row.withBytes(4) { outcome in
          row.withBytes(5) { time in
            row.withBytes(6) { findings.rows.addEnd(of: id, as: outcome, at: time, result: $0) }
          }
        }
      }
      return true
    }
  }

  /// Looks closely at the rows of some buckets: at each beside the events that it follows from. Most differences are none: a row
  /// whose request was pruned, or that went on while the log was walked over.
  ///
  /// - Returns: The first row that is not as its events say, and how many have their request on record.
  func compare(rowsIn buckets: Set<Int>) throws -> Compared {
    let range = presentations
    var (fault, requested) = (AuditVerification.Fault?.none, 0)
    guard !range.isEmpty else { return (nil, 0) }
    try read {
      try connection.forEachRow(
        "SELECT number, id FROM presentations WHERE number >= ? AND number < ? ORDER BY number",
        [.integer(range.lowerBound), .integer(range.upperBound)]
      ) { row in
        guard row.withBytes(1, { buckets.contains(RowSums.bucket(of: $0)) }) else { return true }
        try Task.checkCancellation()
        fault = try compare(row: row.integer(0), &requested)
        return fault == nil
      }
    }
    return (fault, requested)
  }

  typealias Compared = (fault: AuditVerification.Fault?, requested: Int)

  /// What is wrong with the rows that were looked at: with one, or with how many there are.
  ///
  /// - Parameter requests: How many of them were asked for, as the events say.
  static func fault(in parts: [Compared], requests: Int) -> AuditVerification.Fault? {
    if let fault = parts.compactMap(\.fault).first { return fault }
    guard parts.reduce(0, { $0 + $1.requested }) != requests else { return nil }
    return AuditVerification.Fault(
      seq: nil, presentation: nil, what: "rows are missing from the table presentations, or there are too many")
  }

  /// The events that end a presentation, as SQL.
  private static let endings = PresentationOutcome.Name.allCases.map { "'\(AuditEvent.Kind($0).rawValue)'" }
    .joined(separator: ", ")

  private func compare(row number: Int64, _ requested: inout Int) throws -> AuditVerification.Fault? {
    var fault: AuditVerification.Fault?
    try connection.forEachRow(
      """
      SELECT p.id, p.app, p.uid, p.request, p.outcome, p.result, p.resolved_at, asked.type, asked.detail, ended.type, ended.at,
        ended.detail, asked.seq
      FROM presentations AS p
        LEFT JOIN events AS asked ON asked.seq = (
          SELECT min(seq) FROM events WHERE presentation = p.id AND seq >= \(span.firstSeq))
        LEFT JOIN events AS ended ON ended.seq = (
          SELECT max(seq) FROM events WHERE presentation = p.id AND type IN (\(Self.endings)))
      WHERE p.number = ?
      """, [.integer(number)]
    ) { row in
      // Asked for after the walk began, or with its request pruned already.
      guard !row.isNull(12), row.integer(12) <= span.head.seq else { return false }
      var what: String?
      if row.is(7, AuditEvent.Kind.requested.rawValue) {
        requested += 1
        what = row.wrongRequest
      }
      what = what ?? row.wrongEnd
      fault = what.map {
        AuditVerification.Fault(seq: nil, presentation: row.text(0).flatMap(PresentationID.init), what: $0)
      }
      return false
    }
    return fault
  }

  /// Puts together what the parts found.
  ///
  /// - Parameter rows: The first row that is not as its events say.
  static func verification(
    of span: Span, _ found: [Findings], _ expected: AuditHead?, rows: AuditVerification.Fault?
  ) -> AuditVerification {
    let chain = found.compactMap(\.fault).min { ($0.seq ?? 0) < ($1.seq ?? 0) }
    let fault = chain ?? self.fault(in: span, found, expected) ?? rows
    return AuditVerification(
      anchor: span.anchor, head: span.head, events: found.reduce(0) { $0 + $1.events },
      presentations: found.reduce(0) { $0 + $1.presentations }, fault: fault)
  }

  /// What is wrong with the anchor, or with what was expected.
  private static func fault(in span: Span, _ found: [Findings], _ expected: AuditHead?) -> AuditVerification.Fault? {
    if let anchor = span.anchor {
      let pruned = found.compactMap(\.pruned).max { $0.seq < $1.seq }
      let said = pruned.flatMap { try? JSONValue(parsing: $0.detail) }
      guard said?["through"]?.number?.integer == Int(anchor.seq), said?["hash"]?.string == anchor.hash.hexadecimal else {
        return AuditVerification.Fault(
          seq: anchor.seq, presentation: nil,
          what: "the record begins after it, and no event says that it was pruned up to there")
      }
    }
    guard let expected else { return nil }
    let known: [UInt8]? = expected.seq == span.anchor?.seq ? span.anchor?.hash : found.compactMap(\.expectedHash).first
    let what: String? =
      if expected.seq > span.head.seq {
        "the log ends before it: its end was cut off, or this is another log"
      } else if expected.seq == 0 || known == expected.hash {
        nil
      } else if known == nil {
        "it was pruned, so that it cannot be compared"
      } else {
        "its hash is not the one that was expected: the log was written anew, or this is another log"
      }
    return what.map { AuditVerification.Fault(seq: expected.seq, presentation: nil, what: $0) }
  }
}

extension SQLiteStatement {
  /// In what the row differs from its request: the columns from `app`, and the detail of `requested`.
  fileprivate var wrongRequest: String? {
    withBytes(8) { detail in
      guard detail.starts(with: "{\"requester\":{\"app\":\"\(text(1) ?? "")\",\"uid\":\(integer(2)),") else {
        return "who asked is not who is on record as having asked"
      }
      return detail.contains(",\"request\":\(text(3) ?? "")")
        ? nil : "what was asked is not what is on record as having been asked"
    }
  }

  /// In what the row differs from its end: `outcome`, `result`, `resolved_at`, and the event that ended it.
  fileprivate var wrongEnd: String? {
    let what = "how it ended is not how it is on record as having ended"
    return withBytes(11) { detail in
      guard !isNull(4) else {
        // It may be answered and go on, as a flow does.
        return isNull(9) || detail.contains("\"stays\":true") ? nil : what
      }
      guard let type = text(9) else { return isNull(12) ? nil : what }
      return text(4) == type && text(6) == text(10) && detail.starts(with: "{\"outcome\":\(text(5) ?? "")") ? nil : what
    }
  }
}
