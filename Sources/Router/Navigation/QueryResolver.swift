/// Answers a query. The first answer counts.
///
/// A closure that presents must answer, or keep the resolver and answer later: when it has returned and all copies of its resolver
/// are gone, the query ends as failed.
///
/// If a broker shows the query, answering here takes the presentation back and `query` returns this answer, unless a person was
/// first. On record, its requester took it back.
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
  /// Closed without an answer.
  case closed
  /// Whoever presented it let go of it.
  case dropped
  /// Whoever asked it takes it back.
  case cancelled
}
