/// One event on record.
public struct AuditEvent: Sendable, Hashable {
  /// What can happen, as http-api names it.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case requested, presented, withdrawn, answered, dismissed, cancelled, expired, failed
    /// An attached request goes on without its connection.
    case detached
    /// The outcome reached its requester.
    case delivered
    case callbackDelivered, callbackFailed
    case presenterAttached, presenterDetached
    case daemonStarted, daemonStopped
    /// Requests of one user and program are turned away for a while: people keep refusing them.
    case throttled
    case accessDenied, pruned
  }

  /// The place in the log; it only rises, and has no gaps but what was pruned from the start.
  public let seq: Int64
  public let at: Timestamp
  public let kind: Kind
  public let presentation: PresentationID?
  public let detail: JSONValue

  /// The event as http-api has it.
  public var json: JSONValue {
    [
      "seq": .integer(Int(seq)), "at": .string(at.description), "type": .string(kind.rawValue),
      "presentation": .optional(presentation?.description), "detail": detail,
    ]
  }
}

extension AuditEvent {
  /// Reads what ``json`` writes.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    guard let at = try reader.timestamp("at") else { throw reader.error("is missing", at: "at") }
    guard let kind: Kind = try reader.choice("type") else { throw reader.error("is missing", at: "type") }
    self.init(
      seq: Int64(try reader.count("seq") ?? 0), at: at, kind: kind,
      presentation: try reader.string("presentation").flatMap { PresentationID($0) }, detail: reader.any("detail") ?? [:])
  }
}

/// An event that is to be recorded, and what it makes of its presentation's row.
public struct AuditEntry: Sendable, Hashable {
  public var at: Timestamp
  public var kind: AuditEvent.Kind
  public var presentation: PresentationID?
  public var detail: JSONText
  /// The presentation's row after the event; `nil` where it changes nothing in it.
  public var row: AuditRow?

  public init(
    at: Timestamp, kind: AuditEvent.Kind, presentation: PresentationID? = nil, detail: JSONValue = [:],
    row: AuditRow? = nil
  ) {
    self.init(at: at, kind: kind, presentation: presentation, text: JSONText(detail), row: row)
  }

  init(
    at: Timestamp, kind: AuditEvent.Kind, presentation: PresentationID? = nil, text detail: JSONText, row: AuditRow? = nil
  ) {
    self.at = at
    self.kind = kind
    self.presentation = presentation
    self.detail = detail
    self.row = row
  }
}

/// A presentation's row: the presentation as everybody may see it, and where it stands.
public struct AuditRow: Sendable, Hashable {
  public var presentation: Presentation
  public var place: PresentationPlace
  /// Its level in the stack when it is shown.
  public var level: Int

  /// What makes asking again safe, where its requester gave it one.
  public var key: IdempotencyKey?

  public init(presentation: Presentation, place: PresentationPlace, level: Int, key: IdempotencyKey? = nil) {
    self.presentation = presentation
    self.place = place
    self.level = level
    self.key = key
  }

  /// Whether its requester, having lost its connection to a restart, may come back for it. A flow ends with its connection.
  var isKept: Bool { key != nil && !presentation.request.flow }
}
