import Router

/// Answers a query. The first answer counts.
///
/// The query fails if its presenting closure has returned and all copies of the resolver are released. Answering a query that a
/// broker shows withdraws the presentation, unless a person has already answered.
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

  /// Answers the query; `nil` is equivalent to ``cancelQuery()``.
  public func answer(withOptional answer: Answer?) {
    resolution.end(answer.map(QueryResolution.answered) ?? .closed)
  }

  /// Makes `query` throw an error.
  public func answer(throwing error: any Error) {
    resolution.end(.threw(error))
  }

  /// Closes the query without an answer. `query` throws ``NoAnswer`` `dismissed` or, if a broker shows the query, `cancelled`,
  /// requester.
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
  /// The resolver was released without an answer.
  case dropped
  /// The query was canceled by its caller.
  case cancelled
}
