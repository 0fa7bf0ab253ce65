/// The outcome of a presentation. Each presentation has exactly one.
///
/// Only a person's action is an answer, never a lost presenter, a lost requester, a timeout or a restart.
public enum PresentationOutcome: Sendable, Hashable {
  /// A person answered.
  case answered(PresentationAnswer)
  /// A person closed the presentation without an answer.
  case dismissed
  /// The presentation was canceled.
  case cancelled(CancellationReason)
  /// A timeout expired.
  case expired(ExpiryPhase)
  /// A presenter failed to show the presentation, for this reason.
  case failed(String)

  /// Returns the outcome, with a redacted answer if `sensitive` is true.
  func redacted(if sensitive: Bool) -> PresentationOutcome {
    if sensitive, case .answered = self { .answered(.redacted) } else { self }
  }
}

/// The answer of a person.
public enum PresentationAnswer: Sendable, Hashable {
  /// The id of the pressed button.
  case button(String)
  /// The value of a sheet, which is valid for its schema if it has one.
  case value(JSONValue)
  /// The answer of a sensitive presentation, hidden from this reader.
  case redacted
}

extension PresentationOutcome {
  /// Why a presentation was canceled.
  public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The requester withdrew it.
    case requester
    /// The requester's connection was lost.
    case requesterGone
    /// A request with the policy `cancelPrevious` replaced it.
    case superseded
    /// The surface was busy, and the conflict policy does not allow queueing.
    case busy
    /// The presentation that it was stacked on ended.
    case parentEnded
    /// No presenter was attached, and the policy does not allow waiting.
    case noPresenter
    /// Router was switched off, and the policy does not allow waiting.
    case off
    /// An administrator withdrew it.
    case admin
    /// A rule of the daemon denied it, and it has no cancel button.
    case refused
    /// The coordinator stopped, and the requester did not reconnect.
    case interrupted
  }
}

extension PresentationOutcome {
  /// The phase of a presentation when it expired.
  public enum ExpiryPhase: String, Sendable, Hashable, Codable, CaseIterable {
    case queued, presented
  }
}

extension PresentationOutcome {
  /// The outcome's name on the wire and in the log.
  public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    case answered, dismissed, cancelled, expired, failed
  }

  public var name: Name {
    switch self {
    case .answered: .answered
    case .dismissed: .dismissed
    case .cancelled: .cancelled
    case .expired: .expired
    case .failed: .failed
    }
  }

  /// The cancellation reason or expiry phase; `nil` for other outcomes.
  public var reason: String? {
    switch self {
    case .cancelled(let reason): reason.rawValue
    case .expired(let phase): phase.rawValue
    case .answered, .dismissed, .failed: nil
    }
  }
}

extension PresentationOutcome: JSONObject, JSONPart {
  package static var schema: JSONValue { RecordedOutcome.schema }

  /// The outcome as the HTTP API returns it.
  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) { RecordedOutcome(self, AnswerExtra()).addMembers(to: &writer) }

  /// Decodes the format of ``json``.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    self = try RecordedOutcome(json: json, at: pointer).outcome
  }
}
