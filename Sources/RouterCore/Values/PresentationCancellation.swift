/// Thrown when a presentation ends without an answer, with the reason.
public struct PresentationCancellation: Error, Sendable, Hashable, Codable {
  /// How it ended.
  public package(set) var reason: ShowOutcome<Never>

  public init(reason: ShowOutcome<Never>) { self.reason = reason }

  /// The error for an outcome without an answer; `nil` for an answer.
  package init?(_ outcome: PresentationOutcome) {
    if case .answered = outcome { return nil }
    reason = ShowOutcome(outcome) { _ in nil }
  }
}

extension PresentationCancellation: CustomStringConvertible {
  /// One line for a person. Truncates a presenter's detail to 200 code points.
  public var description: String {
    switch reason {
    case .dismissed: "cannot return an answer: the presentation was dismissed"
    case .cancelled(let why): "cannot return an answer: the presentation was cancelled (\(why.rawValue))"
    case .expired(let phase): "cannot return an answer: the presentation expired (\(phase.rawValue))"
    case .failed(let detail):
      "cannot show the presentation: "
        + String(detail.unicodeScalars.prefix(200)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }
}
