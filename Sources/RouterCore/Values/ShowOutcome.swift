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
    throw PresentationCancellation(reason: withoutAnswer())
  }

  /// The outcome in another type, with a dismissal for an answer.
  private func withoutAnswer<NewAnswer>() -> ShowOutcome<NewAnswer> { compactMap { _ in nil } }
}

extension ShowOutcome: Sendable where Answer: Sendable {}
extension ShowOutcome: Equatable where Answer: Equatable {}
extension ShowOutcome: Hashable where Answer: Hashable {}
extension ShowOutcome<Void> {
  /// Whether both ended in the same way: `Void` cannot be `Equatable`.
  public static func == (left: ShowOutcome, right: ShowOutcome) -> Bool {
    left.compactMap { _ in true } == right.compactMap { _ in true }
  }

  public static func != (left: ShowOutcome, right: ShowOutcome) -> Bool { !(left == right) }
}

extension ShowOutcome: Encodable where Answer: Encodable {}
extension ShowOutcome: Decodable where Answer: Decodable {}

extension ShowOutcome {
  /// Converts an outcome; `read` decodes the answer, or returns `nil` for a dismissal.
  package init(_ outcome: PresentationOutcome, read: (PresentationAnswer) throws -> Answer?) rethrows {
    switch outcome {
    case .answered(let answer): self = try read(answer).map(Self.answered) ?? .dismissed
    case .dismissed: self = .dismissed
    case .cancelled(let why): self = .cancelled(why)
    case .expired(let phase): self = .expired(phase)
    case .failed(let detail): self = .failed(detail)
    }
  }

  /// The outcome with another answer; dismissed if there is none.
  package func compactMap<NewAnswer>(_ transform: (Answer) -> NewAnswer?) -> ShowOutcome<NewAnswer> {
    switch self {
    case .answered(let answer): transform(answer).map { .answered($0) } ?? .dismissed
    case .dismissed: .dismissed
    case .cancelled(let why): .cancelled(why)
    case .expired(let phase): .expired(phase)
    case .failed(let detail): .failed(detail)
    }
  }

  /// Returns the body's outcome, or converts the error it throws.
  package init(catching body: nonisolated(nonsending) () async throws -> ShowOutcome) async {
    do {
      self = try await body()
    } catch let error as PresentationCancellation {
      self = error.reason.withoutAnswer()
    } catch {
      self = .failed(String(describing: error))
    }
  }
}

extension ShowOutcome<Never> {
  /// Returns if a person closed it.
  package func close() throws(PresentationCancellation) {
    if case .dismissed = self { return }
    _ = try get()
  }
}
