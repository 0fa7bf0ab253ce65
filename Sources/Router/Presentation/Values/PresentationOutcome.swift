/// How a presentation ended. There is exactly one for each.
///
/// Only a person's act is an answer: a lost presenter, a lost requester, a timeout and a restart never are.
public enum PresentationOutcome: Sendable, Hashable {
  /// A person answered.
  case answered(PresentationAnswer)
  /// A person closed it without an answer.
  case dismissed
  /// It was taken away.
  case cancelled(CancellationReason)
  /// Its time was up.
  case expired(ExpiryPhase)
  /// A presenter could not show it; the text says why.
  case failed(String)

  /// The outcome without its answer's content where `sensitive` says so.
  func redacted(if sensitive: Bool) -> PresentationOutcome {
    if sensitive, case .answered = self { .answered(.redacted) } else { self }
  }
}

/// What a person answered.
public enum PresentationAnswer: Sendable, Hashable {
  /// The id of the button that was pressed.
  case button(String)
  /// A sheet's value, which fits its schema if it has one.
  case value(JSONValue)
  /// There was an answer, and it is not for this reader: the presentation is sensitive.
  case redacted
}

/// Why a presentation was taken away.
public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its requester took it back.
  case requester
  /// Its requester's connection was lost.
  case requesterGone
  /// A request with the policy `cancelPrevious` took its place.
  case superseded
  /// Its place was taken and it would not, or could not, wait or take it.
  case busy
  /// The presentation that it was stacked on ended.
  case parentEnded
  /// It was its turn, nobody was there to show it, and it would not wait.
  case noPresenter
  /// An administrator took it back.
  case admin
  /// The coordinator went down and nobody came back for it.
  case interrupted
}

/// Where a presentation was when its time was up.
public enum ExpiryPhase: String, Sendable, Hashable, Codable, CaseIterable {
  case queued, presented
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

  /// The reason or the phase, where the outcome has one.
  public var reason: String? {
    switch self {
    case .cancelled(let reason): reason.rawValue
    case .expired(let phase): phase.rawValue
    case .answered, .dismissed, .failed: nil
    }
  }
}

extension PresentationOutcome: JSONObject {
  /// The outcome as the HTTP API returns it.
  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("type", name.rawValue)
    switch self {
    case .answered(.button(let id)): writer.add("button", id)
    case .answered(.value(let value)): writer.add("value", value)
    case .answered(.redacted): writer.add("redacted", true)
    case .dismissed: break
    case .cancelled(let reason): writer.add("reason", reason.rawValue)
    case .expired(let phase): writer.add("phase", phase.rawValue)
    case .failed(let detail): writer.add("detail", detail)
    }
  }

  /// Reads what ``json`` writes.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    switch try reader.requiredChoice("type", of: Name.self) {
    case .answered:
      if try reader.bool("redacted") == true {
        self = .answered(.redacted)
      } else if let button = try reader.string("button") {
        self = .answered(.button(button))
      } else if let value = reader.any("value") {
        self = .answered(.value(value))
      } else {
        throw JSONError("has neither button nor value", at: pointer)
      }
    case .dismissed: self = .dismissed
    case .cancelled: self = .cancelled(try reader.requiredChoice("reason"))
    case .expired: self = .expired(try reader.requiredChoice("phase"))
    case .failed: self = .failed(try reader.requiredString("detail"))
    }
    try reader.finish()
  }
}
