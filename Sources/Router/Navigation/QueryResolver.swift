/// What a query is answered with by whoever presents it. The first answer counts; what comes after the end changes nothing.
///
/// A closure that presents must answer, or keep this to answer later: when it has returned and all copies of its resolver are
/// gone, its query ends as failed, so that nobody waits for ever.
///
/// Where a broker shows the query, answering here takes the presentation back, and `query` has the answer all the same: on
/// record it is the requester who took it back, for no person has answered. If a person was first, theirs is the answer.
public struct QueryResolver<Answer: Sendable>: Sendable {
  private let resolution: Resolution

  init(ifDropped: QueryResolution<Answer>? = nil, end: @escaping @Sendable (QueryResolution<Answer>) -> Void) {
    resolution = Resolution(ifDropped: ifDropped, end: end)
  }

  /// Answers the query.
  public func answer(with answer: Answer) {
    resolution.end(.answered(answer))
  }

  /// Answers the query, where there is nothing to say but that it is done.
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

  /// Closes the query without an answer: `query` throws ``PresentationCancellation`` with the reason `dismissed`, or where a
  /// broker shows it, from which it is taken back, `cancelled`, requester.
  public func cancelQuery() {
    resolution.end(.closed)
  }

  /// Shared by all copies.
  private final class Resolution: Sendable {
    let ifDropped: QueryResolution<Answer>?
    let end: @Sendable (QueryResolution<Answer>) -> Void

    init(ifDropped: QueryResolution<Answer>?, end: @escaping @Sendable (QueryResolution<Answer>) -> Void) {
      self.ifDropped = ifDropped
      self.end = end
    }

    deinit {
      if let ifDropped { end(ifDropped) }
    }
  }
}

/// What somebody did to a query.
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
