/// A recorded event, as clients read it.
public struct AuditEvent: Sendable, Hashable {
  /// Event names, on the wire and in the log.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case requested, presented, withdrawn, answered, dismissed, cancelled, expired, failed
    case detached, delivered, callbackDelivered, callbackFailed
    case deferred, woken, presenterAttached, presenterFailed, presenterDetached, daemonStarted, daemonStopped
    case throttled, accessDenied, pageLinkIssued, granted, revoked, paused, resumed, rulesLoaded, switched, pruned, ran

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

  /// Decodes the detail.
  package func event() throws(JSONError) -> Event {
    try Event(at: at, kind: kind, presentation: presentation, detail: detail)
  }
}

extension AuditEvent: Record {
  package static var schemaName: String { "Event" }
  package static var about: String { "A recorded event." }
  package static var ignoresUnknown: Bool { true }

  /// The event as the HTTP API returns it.
  public var json: JSONValue { jsonText.value }

  /// Decodes the format of ``json``.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) { try self.init(record: json, at: pointer) }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    seq = Int64(try f("seq", ifAbsent: 0, { Int($0.seq) }, "Position in the log; strictly increasing.", .positive))
    at = try f("at", \.at)
    kind = try f("type", \.kind)
    presentation = try f(orNull: "presentation", \.presentation)
    detail = try f("detail", ifAbsent: [:], \.detail, "", ["type": "object"])
  }
}
