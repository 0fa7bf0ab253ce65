/// Walks over a part of the log. Parts can be walked over at the same time, since each event has the hash before it beside it:
/// if every one follows from the one before, so do all.
struct AuditVerifier {
  /// What is to be walked over.
  struct Span: Sendable, Hashable {
    let anchor: AuditHead?
    let head: AuditHead
    /// The highest number of a presentation.
    let lastPresentation: Int64
    let firstPresentation: Int64
    let hasAnchorTable: Bool

    var firstSeq: Int64 { (anchor?.seq ?? 0) + 1 }

    init(_ connection: SQLiteConnection) throws {
      hasAnchorTable = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'anchors'") == 1
      (anchor, head, firstPresentation, lastPresentation) = try connection.transaction("BEGIN") { [hasAnchorTable] in
        let anchor =
          hasAnchorTable
          ? try connection.rows("SELECT seq, hash FROM anchors ORDER BY seq DESC LIMIT 1") {
            AuditHead(seq: $0.integer(0), hash: $0.blob(1))
          }.first : nil
        return (
          anchor, try AuditVerifier.head(connection), try connection.integer("SELECT min(number) FROM presentations"),
          try connection.integer("SELECT max(number) FROM presentations")
        )
      }
    }
  }

  /// What a part has come to.
  struct Findings: Sendable {
    var events = 0
    var presentations = 0
    /// Requests among the events, and presentations whose request is on record: the same number, over all parts.
    var requests = 0
    var requested = 0
    /// The last pruning by the events, and what it said.
    var pruned: (seq: Int64, detail: String)?
    /// What the event of the expected head has as its hash.
    var expectedHash: [UInt8]?
    var fault: AuditVerification.Fault?
  }

  /// The log was pruned between finding out what is to be walked over and walking.
  struct AnchorMoved: Error {}

  let connection: SQLiteConnection
  let span: Span

  static func head(_ connection: SQLiteConnection) throws -> AuditHead {
    try connection.rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1") {
      AuditHead(seq: $0.integer(0), hash: $0.blob(1))
    }.first ?? AuditHead(seq: 0, hash: AuditChain().hash)
  }

  func run(part: Int, of parts: Int, _ expected: AuditHead?, _ meter: ProgressMeter) throws -> Findings {
    var findings = Findings()
    let events = share(part, of: parts, from: span.firstSeq, to: span.head.seq)
    let rows = share(part, of: parts, from: span.firstPresentation, to: span.lastPresentation)
    let all = Double(max(1, events.count + rows.count))
    try connection.transaction("BEGIN") {
      if span.hasAnchorTable, try connection.integer("SELECT max(seq) FROM anchors") != span.anchor?.seq ?? 0 {
        throw AnchorMoved()
      }
      try walk(events, expected, &findings) { meter.set(part, to: Double($0) / all) }
      guard findings.fault == nil else { return }
      try compare(rows, &findings) { meter.set(part, to: Double(events.count + $0) / all) }
    }
    return findings
  }

  private func share(_ part: Int, of parts: Int, from first: Int64, to last: Int64) -> Range<Int64> {
    let count = max(0, last - first + 1)
    let (part, parts) = (Int64(part), Int64(parts))
    return first + count * part / parts..<first + count * (part + 1) / parts
  }

  /// Follows the chain.
  private func walk(
    _ range: Range<Int64>, _ expected: AuditHead?, _ findings: inout Findings, progress: (Int) -> Void
  ) throws {
    guard !range.isEmpty else { return }
    var before: [UInt8]
    if range.lowerBound == span.firstSeq {
      before = span.anchor?.hash ?? AuditChain().hash
    } else {
      before =
        try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(range.lowerBound - 1)]) { $0.blob(0) }.first
        ?? []
    }
    var next = range.lowerBound
    var buffer: [UInt8] = []
    var fault: AuditVerification.Fault?
    let (requested, pruned) = (AuditEvent.Kind.requested.rawValue, AuditEvent.Kind.pruned.rawValue)
    try connection.forEachRow(
      "SELECT seq, at, type, presentation, detail, hash FROM events WHERE seq >= ? AND seq < ? ORDER BY seq",
      [.integer(range.lowerBound), .integer(range.upperBound)]
    ) { row in
      let seq = row.integer(0)
      guard seq == next else {
        fault = AuditVerification.Fault(seq: next, presentation: nil, what: "it is missing")
        return false
      }
      let hash = row.chainHash(after: before, seq: seq, buffer: &buffer)
      guard row.withBytes(5, { $0.elementsEqual(hash) }) else {
        fault = AuditVerification.Fault(
          seq: seq, presentation: nil, what: "its hash does not follow from what it says and from the event before it")
        return false
      }
      if row.is(2, requested) {
        findings.requests += 1
      } else if row.is(2, pruned) {
        findings.pruned = (seq, row.text(4) ?? "")
      }
      if seq == expected?.seq { findings.expectedHash = hash }
      before = hash
      next += 1
      findings.events += 1
      if findings.events % 20_000 == 0 {
        try Task.checkCancellation()
        progress(findings.events)
      }
      return true
    }
    if fault == nil, next != range.upperBound {
      fault = AuditVerification.Fault(seq: next, presentation: nil, what: "it is missing")
    }
    findings.fault = fault
  }
}

extension SQLiteStatement {
  /// The hash that the event in this row should have; the columns are `seq`, `at`, `type`, `presentation`, `detail`.
  fileprivate func chainHash(after before: [UInt8], seq: Int64, buffer: inout [UInt8]) -> [UInt8] {
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: before)
    buffer.append(contentsOf: String(seq).utf8)
    buffer.append(UInt8(ascii: "\n"))
    for column in Int32(1)...3 {
      withBytes(column) { buffer.append(contentsOf: $0) }
      buffer.append(UInt8(ascii: "\n"))
    }
    withBytes(4) { buffer.append(contentsOf: $0) }
    return buffer.withUnsafeBytes { SHA256.hash($0) }
  }

  /// Whether a column has that text.
  func `is`(_ column: Int32, _ text: String) -> Bool {
    withBytes(column) { $0.elementsEqual(text.utf8) }
  }
}
