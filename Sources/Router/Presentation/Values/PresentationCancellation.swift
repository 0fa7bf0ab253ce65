/// Thrown when a presentation ends without an answer, with the reason.
public struct PresentationCancellation: Error, Sendable, Hashable, Codable {
  /// The reason why a presentation ended without an answer.
  public enum Reason: Sendable, Hashable, Codable {
    /// A person closed it, or pressed a button without an action.
    case dismissed
    /// It was canceled; the reason is `requester` if the waiting task was canceled.
    case cancelled(PresentationOutcome.CancellationReason)
    /// A timeout expired.
    case expired(PresentationOutcome.ExpiryPhase)
    /// A presenter could not show it, with the reason.
    case failed(String)
  }

  public var reason: Reason

  public init(reason: Reason) { self.reason = reason }

  /// The error for an outcome without an answer; `nil` for an answer.
  public init?(_ outcome: PresentationOutcome) {
    switch outcome {
    case .answered: return nil
    case .dismissed: reason = .dismissed
    case .cancelled(let why): reason = .cancelled(why)
    case .expired(let phase): reason = .expired(phase)
    case .failed(let detail): reason = .failed(detail)
    }
  }
}

extension PresentationCancellation: CustomStringConvertible {
  /// Text for a person. Truncates a presenter's detail to 200 code points.
  public var description: String {
    switch reason {
    case .dismissed: "cannot return an answer: the presentation was dismissed"
    case .cancelled(let why): "cannot return an answer: the presentation was cancelled (\(why.rawValue))"
    case .expired(let phase): "cannot return an answer: the presentation expired (\(phase.rawValue))"
    case .failed(let detail): "cannot show the presentation: \(String(detail.unicodeScalars.prefix(200)))"
    }
  }
}
