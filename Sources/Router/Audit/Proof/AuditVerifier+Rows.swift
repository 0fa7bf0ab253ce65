import OrderedCollections

/// The table `presentations` is what everybody reads, and it is not in the chain: it follows from the events, and here it is
/// found out whether it does.
extension AuditVerifier {
  /// Compares rows with the events that they follow from: what was asked and by whom, how and when it ended.
  func compare(_ range: Range<Int64>, _ findings: inout Findings, progress: (Int) -> Void) throws {
    guard !range.isEmpty else { return }
    let endings = PresentationOutcome.Name.allCases.map { "'\(AuditEvent.Kind($0).rawValue)'" }.joined(separator: ", ")
    var fault: AuditVerification.Fault?
    let first = span.firstSeq
    try connection.forEachRow(
      """
      SELECT p.id, p.app, p.uid, p.request, p.outcome, p.result, p.resolved_at, asked.type, asked.detail, ended.type, ended.at,
        ended.detail, asked.seq
      FROM presentations AS p
        LEFT JOIN events AS asked ON asked.seq = (SELECT min(seq) FROM events WHERE presentation = p.id AND seq >= \(first))
        LEFT JOIN events AS ended ON ended.seq = (
          SELECT max(seq) FROM events WHERE presentation = p.id AND type IN (\(endings)))
      WHERE p.number >= ? AND p.number < ?
      """, [.integer(range.lowerBound), .integer(range.upperBound)]
    ) { row in
      findings.presentations += 1
      if findings.presentations % 10_000 == 0 {
        try Task.checkCancellation()
        progress(findings.presentations)
      }
      // Asked for after the walk began, or with its request pruned already.
      guard !row.isNull(12), row.integer(12) <= span.head.seq else { return true }
      var what: String?
      if row.is(7, AuditEvent.Kind.requested.rawValue) {
        findings.requested += 1
        what = row.wrongRequest
      }
      what = what ?? row.wrongEnd
      guard let what else { return true }
      fault = AuditVerification.Fault(seq: nil, presentation: row.text(0).flatMap(PresentationID.init), what: what)
      return false
    }
    findings.fault = fault
  }

  /// Puts together what the parts found.
  static func verification(of span: Span, _ found: [Findings], _ expected: AuditHead?) -> AuditVerification {
    var fault: AuditVerification.Fault?
    let chain = found.compactMap(\.fault).filter { $0.seq != nil }
    fault = chain.min { ($0.seq ?? 0) < ($1.seq ?? 0) } ?? self.fault(in: span, found, expected)
    fault = fault ?? found.compactMap(\.fault).first
    if fault == nil, found.reduce(0, { $0 + $1.requests - $1.requested }) != 0 {
      fault = AuditVerification.Fault(
        seq: nil, presentation: nil, what: "rows are missing from the table presentations, or there are too many")
    }
    return AuditVerification(
      anchor: span.anchor, head: span.head, events: found.reduce(0) { $0 + $1.events },
      presentations: found.reduce(0) { $0 + $1.presentations }, fault: fault)
  }

  /// What is wrong with the anchor, or with what was expected.
  private static func fault(in span: Span, _ found: [Findings], _ expected: AuditHead?) -> AuditVerification.Fault? {
    if let anchor = span.anchor {
      let pruned = found.compactMap(\.pruned).max { $0.seq < $1.seq }
      let said = pruned.flatMap { try? JSONValue(parsing: $0.detail) }
      guard said?["through"]?.number?.integer == Int(anchor.seq), said?["hash"]?.string == anchor.hexadecimal else {
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

extension AuditHead {
  var hexadecimal: String { String(description.prefix(2 * SHA256.byteCount)) }
}

extension SQLiteStatement {
  /// In what the row differs from its request: the columns from `app`, and the detail of `requested`.
  fileprivate var wrongRequest: String? {
    let detail = text(8) ?? ""
    guard detail.utf8.starts(with: "{\"requester\":{\"app\":\"\(text(1) ?? "")\",\"uid\":\(integer(2)),".utf8) else {
      return "who asked is not who is on record as having asked"
    }
    let request = ",\"request\":\(text(3) ?? "")"
    return detail.utf8.contains(request.utf8) ? nil : "what was asked is not what is on record as having been asked"
  }

  /// In what the row differs from its end: `outcome`, `result`, `resolved_at`, and the event that ended it.
  fileprivate var wrongEnd: String? {
    let what = "how it ended is not how it is on record as having ended"
    guard !isNull(4) else {
      // It may be answered and go on, as a flow does.
      return isNull(9) || (text(11) ?? "").utf8.contains("\"stays\":true".utf8) ? nil : what
    }
    guard let type = text(9) else { return isNull(12) ? nil : what }
    let isSame =
      text(4) == type && text(6) == text(10)
      && (text(11) ?? "").utf8.starts(with: "{\"outcome\":\(text(5) ?? "")".utf8)
    return isSame ? nil : what
  }
}

extension String.UTF8View {
  /// Whether other bytes stand somewhere in these.
  fileprivate func contains(_ part: String.UTF8View) -> Bool {
    guard !part.isEmpty else { return true }
    let found = withContiguousStorageIfAvailable { bytes in
      part.withContiguousStorageIfAvailable { part in
        bytes.count >= part.count
          && (0...bytes.count - part.count).contains { start in
            bytes[start] == part[0] && bytes[start..<start + part.count].elementsEqual(part)
          }
      }
    }
    return (found ?? nil) ?? false
  }
}
