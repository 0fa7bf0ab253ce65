/// An end without an answer, thrown by calls that return the answer.
///
/// ```swift
/// do {
///   address = try await showSheet(PickAddress(recent: recents))
/// } catch NoAnswer.dismissed {
///   return
/// }
/// ```
public enum NoAnswer: Error, Sendable, Hashable {
  /// A person closed it, or pressed a button without an action.
  case dismissed
  /// The prompt was canceled; the reason is `requester` if the waiting task was canceled.
  case cancelled(PresentationOutcome.CancellationReason)
  /// The prompt timed out.
  case expired(PresentationOutcome.ExpiryPhase)
  /// The prompt could not be shown, or its answer could not be decoded; the text gives the reason.
  case failed(String)

  /// The outcome of the presentation.
  package var outcome: PresentationOutcome {
    switch self {
    case .dismissed: .dismissed
    case .cancelled(let why): .cancelled(why)
    case .expired(let phase): .expired(phase)
    case .failed(let detail): .failed(detail)
    }
  }

  /// The error for an outcome without an answer; `nil` for an answer.
  package init?(_ outcome: PresentationOutcome) {
    switch outcome {
    case .answered: return nil
    case .dismissed: self = .dismissed
    case .cancelled(let why): self = .cancelled(why)
    case .expired(let phase): self = .expired(phase)
    case .failed(let detail): self = .failed(detail)
    }
  }
}

extension NoAnswer: CustomStringConvertible, CustomDebugStringConvertible {
  /// A one-line description for people. Truncates a presenter's detail to 200 code points.
  public var description: String {
    switch self {
    case .dismissed: "cannot return an answer: the prompt was dismissed"
    case .cancelled(let why): "cannot return an answer: the prompt was canceled (\(why.rawValue))"
    case .expired(let phase): "cannot return an answer: the prompt expired (\(phase.rawValue))"
    case .failed(let detail):
      "cannot show the prompt: "
        + String(detail.unicodeScalars.prefix(200)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  /// The same as ``description``, for uncaught errors.
  public var debugDescription: String { description }
}

extension Result where Failure == NoAnswer {
  /// Converts an outcome; `read` decodes the answer, or returns `nil` for a dismissal.
  package init(_ outcome: PresentationOutcome, read: (PresentationAnswer) throws -> Success?) rethrows {
    if case .answered(let answer) = outcome, let answer = try read(answer) {
      self = .success(answer)
    } else {
      self = .failure(NoAnswer(outcome) ?? .dismissed)
    }
  }

  /// Returns the body's result, or converts its error.
  package init(catching body: nonisolated(nonsending) () async throws -> Result) async {
    do {
      self = try await body()
    } catch let error as NoAnswer {
      self = .failure(error)
    } catch {
      self = .failure(.failed(String(describing: error)))
    }
  }
}

extension Result<Never, NoAnswer> {
  /// Returns normally if a person closed the prompt; throws otherwise.
  package func close() throws(NoAnswer) {
    if case .failure(let end) = self, end != .dismissed { throw end }
  }
}
