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
    /// What the events say of presentations, and what their rows say: the same, over all parts.
    var said: RowSums
    var rows: RowSums
    /// The last pruning by the events, and what it said.
    var pruned: (seq: Int64, detail: String)?
    /// What the event of the expected head has as its hash.
    var expectedHash: [UInt8]?
    var fault: AuditVerification.Fault?

    init(key: RowSums.Key) {
      said = RowSums(key: key)
      rows = RowSums(key: key)
    }
  }

  /// The log was pruned between finding out what is to be walked over and walking.
  struct AnchorMoved: Error {}

  let connection: SQLiteConnection
  let span: Span
  let part: Int
  let parts: Int

  static func head(_ connection: SQLiteConnection) throws -> AuditHead {
    try connection.rows("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1") {
      AuditHead(seq: $0.integer(0), hash: $0.blob(1))
    }.first ?? AuditHead(seq: 0, hash: AuditChain().hash)
  }

  /// Follows the chain, and adds up what the rows say.
  func walk(_ expected: AuditHead?, _ key: RowSums.Key, _ meter: ProgressMeter) throws -> Findings {
    var findings = Findings(key: key)
    let events = share(from: span.firstSeq, to: span.head.seq)
    let all = Double(max(1, events.count + presentations.count))
    try read {
      try walk(events, expected, &findings) { meter.set(part, to: Double($0) / all) }
      guard findings.fault == nil else { return }
      try sumUp(presentations, &findings) { meter.set(part, to: Double(events.count + $0) / all) }
    }
    return findings
  }

  /// The numbers of the presentations in this part.
  var presentations: Range<Int64> { share(from: span.firstPresentation, to: span.lastPresentation) }

  /// Reads in one transaction.
  func read(_ body: () throws -> Void) throws {
    try connection.transaction("BEGIN") {
      if span.hasAnchorTable, try connection.integer("SELECT max(seq) FROM anchors") != span.anchor?.seq ?? 0 {
        throw AnchorMoved()
      }
      try body()
    }
  }

  private func share(from first: Int64, to last: Int64) -> Range<Int64> {
    let count = max(0, last - first + 1)
    let (part, parts) = (Int64(part), Int64(parts))
    return first + count * part / parts..<first + count * (part + 1) / parts
  }

  /// Follows the chain.
  private func walk(
    _ range: Range<Int64>, _ expected: AuditHead?, _ findings: inout Findings, progress: (Int) -> Void
  ) throws {
    guard !range.isEmpty else { return }
    var link: ChainLink
    if range.lowerBound == span.firstSeq {
      link = ChainLink(after: span.anchor?.hash ?? AuditChain().hash)
    } else {
      link = ChainLink(
        after: try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(range.lowerBound - 1)]) { $0.blob(0) }
          .first ?? AuditChain().hash)
    }
    var next = range.lowerBound
    var fault: AuditVerification.Fault?
    let (requested, pruned) = (AuditEvent.Kind.requested.rawValue, AuditEvent.Kind.pruned.rawValue)
    let endings = PresentationOutcome.Name.allCases.map { AuditEvent.Kind($0).rawValue }
    try connection.forEachRow(
      "SELECT seq, at, type, presentation, detail, hash FROM events WHERE seq >= ? AND seq < ? ORDER BY seq",
      [.integer(range.lowerBound), .integer(range.upperBound)]
    ) { row in
      let seq = row.integer(0)
      guard seq == next else {
        fault = AuditVerification.Fault(seq: next, presentation: nil, what: "it is missing")
        return false
      }
      guard link.leads(to: row, seq: seq) else {
        fault = AuditVerification.Fault(
          seq: seq, presentation: nil, what: "its hash does not follow from what it says and from the event before it")
        return false
      }
      row.withBytes(2) { type in
        if type.isSame(as: requested) {
          row.withBytes(3) { id in row.withBytes(4) { findings.said.addRequest(of: id, detail: $0) } }
        } else if endings.contains(where: type.isSame) {
          row.withBytes(3) { id in
            row.withBytes(1) { time in row.withBytes(4) { findings.said.addEnd(of: id, as: type, at: time, detail: $0) } }
          }
        } else if type.isSame(as: pruned) {
          findings.pruned = (seq, row.text(4) ?? "")
        }
      }
      if seq == expected?.seq { findings.expectedHash = link.hash }
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

/// The hash of the event that was checked last, and what the next one's is made of.
private struct ChainLink {
  /// The hash, and behind it, while it is being checked, the event.
  private var buffer: [UInt8]

  init(after hash: [UInt8]) {
    buffer = hash
  }

  var hash: [UInt8] { Array(buffer.prefix(SHA256.byteCount)) }

  /// Whether the event in a row has the hash that follows; its columns are `seq`, `at`, `type`, `presentation`, `detail`, `hash`.
  mutating func leads(to row: SQLiteStatement, seq: Int64) -> Bool {
    buffer.removeLast(buffer.count - SHA256.byteCount)
    buffer.append(contentsOf: String(seq).utf8)
    buffer.append(UInt8(ascii: "\n"))
    for column in Int32(1)...3 {
      row.withBytes(column) { buffer.append(contentsOf: $0) }
      buffer.append(UInt8(ascii: "\n"))
    }
    row.withBytes(4) { buffer.append(contentsOf: $0) }
    return buffer.withUnsafeMutableBytes { bytes in
      let hash = UnsafeMutableRawBufferPointer(rebasing: bytes[..<SHA256.byteCount])
      SHA256.hash(UnsafeRawBufferPointer(bytes), into: hash)
      return row.withBytes(5) { $0.isSame(as: UnsafeRawBufferPointer(hash)) }
    }
  }
}

extension SQLiteStatement {
  /// Whether a column has that text.
  func `is`(_ column: Int32, _ text: String) -> Bool {
    withBytes(column) { $0.isSame(as: text) }
  }
}
