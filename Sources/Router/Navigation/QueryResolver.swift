/// Answers a query. The first answer counts.
///
/// When a presenting closure has returned and all copies of its resolver are gone, the query ends as failed. Answering a
/// query that a broker shows takes the presentation back, unless a person was first.
public struct QueryResolver<Answer: Sendable>: Sendable {
  private let resolution: Resolution

  init(ifDropped: QueryResolution<Answer>? = nil, end: @escaping @Sendable (QueryResolution<Answer>) -> Void) {
    resolution = Resolution(ifDropped: ifDropped, end: end)
  }

  /// Answers the query.
  public func answer(with answer: Answer) {
    resolution.end(.answered(answer))
  }

  /// Answers a query without a value.
  public func answer() where Answer == Void {
    resolution.end(.answered(()))
  }

  /// Answers the query; `nil` means what ``cancelQuery()`` means.
  public func answer(withOptional answer: Answer?) {
    resolution.end(answer.map(QueryResolution.answered) ?? .closed)
  }

  /// Lets `query` throw an error.
  public func answer(throwing error: any Error) {
    resolution.end(.threw(error))
  }

  /// Closes the query without an answer: `query` throws ``PresentationCancellation`` with the reason `dismissed`; if a broker shows
  /// it, `cancelled`, requester.
  public func cancelQuery() {
    resolution.end(.closed)
  }

  private final class Resolution: Sendable {
    let ifDropped: QueryResolution<Answer>?
    let end: @Sendable (QueryResolution<Answer>) -> Void

    init(ifDropped: QueryResolution<Answer>?, end: @escaping @Sendable (QueryResolution<Answer>) -> Void) {
      (self.ifDropped, self.end) = (ifDropped, end)
    }

    deinit { if let ifDropped { end(ifDropped) } }
  }
}

enum QueryResolution<Answer: Sendable>: Sendable {
  case answered(Answer)
  case threw(any Error)
  case closed
  /// Whoever presented it let go of it.
  case dropped
  /// Whoever asked it takes it back.
  case cancelled
}
