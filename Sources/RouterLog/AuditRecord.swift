import RouterCore

/// A stored event: the columns of a row of `events`.
package struct AuditRecord: Sendable, Hashable {
  package let seq: Int64
  package let at: String
  package let type: String
  package let presentation: String?
  /// JSON.
  package let detail: String
  package let hash: [UInt8]

  package init(seq: Int64, at: String, type: String, presentation: String?, detail: String, hash: [UInt8]) {
    self.seq = seq
    self.at = at
    self.type = type
    self.presentation = presentation
    self.detail = detail
    self.hash = hash
  }

  /// Creates the record of the event after `end`, and advances `end`.
  init(_ event: Event, after end: inout AuditHead) {
    let detail = event.detailText
    (at, type, presentation) = (event.at.description, event.kind.rawValue, event.presentation?.description)
    self.detail = detail.description
    end.append(at: at, type: type, presentation: presentation, detail: detail.bytes)
    (seq, hash) = (end.seq, end.hash)
  }

  /// Decodes the event. Does not check the hash.
  func event() throws(JSONError) -> Event {
    try AuditEvent(self).event()
  }
}

extension AuditRecord {
  /// The columns of `events` in the order that ``init(row:)`` expects.
  static let columns = "seq, at, type, presentation, detail, hash"

  init(row: SQLiteStatement) {
    self.init(
      seq: row.integer(0), at: row.text(1) ?? "", type: row.text(2) ?? "", presentation: row.text(3),
      detail: row.text(4) ?? "", hash: row.blob(5))
  }

  var values: [SQLiteValue] {
    [.integer(seq), .text(at), .text(type), .optional(presentation), .text(detail), .blob(hash)]
  }
}

extension AuditEvent {
  init(_ record: AuditRecord) throws(JSONError) {
    guard let at = Timestamp(record.at), let kind = Kind(rawValue: record.type) else {
      throw JSONError("the time or type of the event \(record.seq) is not one that Router writes")
    }
    guard SQLiteStatement.counts.contains(Int(record.seq)) else {
      throw JSONError("the column seq is out of range: \(record.seq)")
    }
    self.init(
      seq: record.seq, at: at, kind: kind, presentation: record.presentation.flatMap(PresentationID.init),
      detail: try JSONValue(stored: record.detail))
  }

  init(row: SQLiteStatement) throws(JSONError) { try self.init(AuditRecord(row: row)) }
}

extension AuditHead {
  /// Appends a stored event, ignoring the event's own number and hash.
  mutating func append(_ record: AuditRecord) {
    append(at: record.at, type: record.type, presentation: record.presentation, detail: record.detail.utf8)
  }
}
