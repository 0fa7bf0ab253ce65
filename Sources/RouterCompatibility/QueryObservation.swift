public import Router

/// A query that has begun: an element of ``Queryable/queries``.
public struct QueryObservation<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  public let id: QueryID
  /// The query's input.
  public let input: Input
  /// Answers the query.
  public let resolver: QueryResolver<Answer>
}

/// A query that has ended: an element of ``Queryable/ends``.
public struct QueryEnd<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  public let id: QueryID
  /// The query's input.
  public let input: Input
  /// The value that `query` returned, or its error.
  public let result: Result<Answer, any Error>
}

/// Identifies a query within its object. Differs from the id of the recorded presentation.
public typealias QueryID = PresentationID

struct OpenQuery<Input: Sendable, Answer: Sendable>: Sendable {
  let input: Input
  /// Whether the query was announced to observers.
  var hasBegun = false
  var handle: PresentationHandle?
  var continuation: CheckedContinuation<Answer, any Error>?
  var presenting: Task<Void, Never>?
  /// The result set by code in this process.
  var result: Result<Answer, any Error>?
}
