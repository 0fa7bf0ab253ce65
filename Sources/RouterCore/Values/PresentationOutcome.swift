/// The outcome of a presentation. Each presentation has exactly one.
///
/// Only a person's action is an answer, never a lost presenter, a lost requester, a timeout or a restart.
public enum PresentationOutcome: Sendable, Hashable {
  /// A person answered.
  case answered(PresentationAnswer)
  /// A person closed it without an answer.
  case dismissed
  /// It was canceled.
  case cancelled(CancellationReason)
  /// A timeout expired.
  case expired(ExpiryPhase)
  /// A presenter could not show it, with the reason.
  case failed(String)

  /// The outcome, with a redacted answer if `sensitive` is true.
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
  /// Why a presentation was taken away.
  public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Its requester withdrew it.
    case requester
    /// Its requester's connection was lost.
    case requesterGone
    /// A request with the policy `cancelPrevious` took its place.
    case superseded
    /// The surface was busy, and its conflict policy ruled out waiting.
    case busy
    /// The presentation that it was stacked on ended.
    case parentEnded
    /// No presenter was attached, and its policy was not to wait.
    case noPresenter
    /// An administrator withdrew it.
    case admin
    /// A rule of the daemon denies it, and it has no button for that.
    case refused
    /// The coordinator stopped, and the requester did not return.
    case interrupted
  }
}

extension PresentationOutcome {
  /// Where a presentation was when its time was up.
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
