/// The outcome of a presentation, with the answer in the requester's type.
public enum ShowOutcome<Answer> {
  /// A person answered.
  case answered(Answer)
  /// A person closed it, or pressed a button without an action.
  case dismissed
  /// It was canceled; the reason is `requester` if the waiting task was canceled.
  case cancelled(PresentationOutcome.CancellationReason)
  /// It timed out.
  case expired(PresentationOutcome.ExpiryPhase)
  /// It could not be shown, or the answer could not be read; the text says why.
  case failed(String)

  /// Returns the answer; throws ``PresentationCancellation`` if there is none.
  public func get() throws(PresentationCancellation) -> Answer {
    if case .answered(let answer) = self { return answer }
    throw cancellation ?? PresentationCancellation(reason: .dismissed)
  }

  /// What ``get()`` throws; `nil` for an answer.
  private var cancellation: PresentationCancellation? {
    switch self {
    case .answered: nil
    case .dismissed: PresentationCancellation(reason: .dismissed)
    case .cancelled(let why): PresentationCancellation(reason: .cancelled(why))
    case .expired(let phase): PresentationCancellation(reason: .expired(phase))
    case .failed(let detail): PresentationCancellation(reason: .failed(detail))
    }
  }
}

extension ShowOutcome: Sendable where Answer: Sendable {}
extension ShowOutcome: Equatable where Answer: Equatable {}
extension ShowOutcome: Hashable where Answer: Hashable {}
extension ShowOutcome<Void> {
  /// Whether both ended in the same way: `Void` cannot be `Equatable`.
  public static func == (left: ShowOutcome, right: ShowOutcome) -> Bool {
    left.cancellation == right.cancellation
  }

  public static func != (left: ShowOutcome, right: ShowOutcome) -> Bool { !(left == right) }
}

extension ShowOutcome: Encodable where Answer: Encodable {}
extension ShowOutcome: Decodable where Answer: Decodable {}

extension ShowOutcome {
  /// Converts an outcome; `read` decodes the answer, or returns `nil` for a dismissal.
  init(_ outcome: PresentationOutcome, read: (PresentationAnswer) throws -> Answer?) rethrows {
    if case .answered(let answer) = outcome {
      self = try read(answer).map(Self.answered) ?? .dismissed
    } else {
      self = PresentationCancellation(outcome).map(Self.init) ?? .dismissed
    }
  }

  /// The outcome with another answer; dismissed if there is none.
  func compactMap<NewAnswer>(_ transform: (Answer) -> NewAnswer?) -> ShowOutcome<NewAnswer> {
    if case .answered(let answer) = self { return transform(answer).map { .answered($0) } ?? .dismissed }
    return ShowOutcome<NewAnswer>(cancellation ?? PresentationCancellation(reason: .dismissed))
  }

  fileprivate init(_ cancellation: PresentationCancellation) {
    switch cancellation.reason {
    case .dismissed: self = .dismissed
    case .cancelled(let why): self = .cancelled(why)
    case .expired(let phase): self = .expired(phase)
    case .failed(let detail): self = .failed(detail)
    }
  }

  /// Returns the body's outcome, or converts the error it throws.
  init(catching body: nonisolated(nonsending) () async throws -> ShowOutcome) async {
    do {
      self = try await body()
    } catch let error as PresentationCancellation {
      self.init(error)
    } catch {
      self = .failed(String(describing: error))
    }
  }
}

extension ShowOutcome<Never> {
  /// Returns if a person closed it.
  func close() throws(PresentationCancellation) {
    if case .dismissed = self { return }
    _ = try get()
  }
}
