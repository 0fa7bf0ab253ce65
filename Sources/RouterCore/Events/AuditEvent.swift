/// A recorded event, as clients read it.
public struct AuditEvent: Sendable, Hashable {
  /// Event names, on the wire and in the log.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case requested, presented, withdrawn, answered, dismissed, cancelled, expired, failed
    case detached, delivered, callbackDelivered, callbackFailed
    case deferred, woken, presenterAttached, presenterFailed, presenterDetached, daemonStarted, daemonStopped
    case throttled, accessDenied, pageLinkIssued, granted, revoked, paused, resumed, rulesLoaded, pruned, ran

    /// The severity in syslog and systemd's journal (RFC 5424, section 6.2.1): a warning or a notice.
    package var syslogSeverity: Int {
      switch self {
      case .accessDenied, .throttled, .failed, .presenterFailed, .callbackFailed: 4
      default: 5
      }
    }
  }

  /// The sequence number. It increases by one with each event; pruning removes the lowest numbers.
  public let seq: Int64
  public let at: Timestamp
  public let kind: Kind
  public let presentation: PresentationID?
  public let detail: JSONValue

  package init(seq: Int64, at: Timestamp, kind: Kind, presentation: PresentationID?, detail: JSONValue) {
    (self.seq, self.at, self.kind, self.presentation, self.detail) = (seq, at, kind, presentation, detail)
  }

  /// The event as the HTTP API returns it.
  public var json: JSONValue {
    [
      "seq": .integer(Int(seq)), "at": .string(at.description), "type": .string(kind.rawValue),
      "presentation": .optional(presentation?.description), "detail": detail,
    ]
  }

  /// Decodes the detail.
  package func event() throws(JSONError) -> Event {
    try Event(at: at, kind: kind, presentation: presentation, detail: detail)
  }
}

extension AuditEvent {
  /// Decodes the format of ``json``.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    self.init(
      seq: Int64(try reader.count("seq") ?? 0), at: try reader.required("at"), kind: try reader.required("type"),
      presentation: try reader.string("presentation").flatMap { PresentationID($0) }, detail: reader.any("detail") ?? [:])
  }
}
