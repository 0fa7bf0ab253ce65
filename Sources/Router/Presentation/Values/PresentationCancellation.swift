/// Thrown when a presentation ends without an answer; ``reason`` says why.
public struct PresentationCancellation: Error, Sendable, Hashable, Codable {
  /// How a presentation ends without an answer.
  public enum Reason: Sendable, Hashable, Codable {
    /// A person closed it, or pressed a button that has no action.
    case dismissed
    /// It was taken away; `requester` where the waiting task was cancelled.
    case cancelled(CancellationReason)
    /// Its time was up.
    case expired(ExpiryPhase)
    /// A presenter could not show it; the text says why.
    case failed(String)
  }

  public var reason: Reason

  public init(reason: Reason) { self.reason = reason }

  /// What an outcome without an answer throws; `nil` for an answer.
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
  /// A sentence for a person; a presenter's detail is cut to 200 code points.
  public var description: String {
    switch reason {
    case .dismissed: "cannot return an answer: the presentation was dismissed"
    case .cancelled(let why): "cannot return an answer: the presentation was cancelled (\(why.rawValue))"
    case .expired(let phase): "cannot return an answer: the presentation expired (\(phase.rawValue))"
    case .failed(let detail): "cannot show the presentation: \(String(detail.unicodeScalars.prefix(200)))"
    }
  }
}
