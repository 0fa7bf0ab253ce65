/// A query that has begun: an element of ``Queryable/queries``.
public struct QueryObservation<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  public let id: QueryID
  /// What was asked with it.
  public let input: Input
  /// What it can be answered with.
  public let resolver: QueryResolver<Answer>
}

/// A query that has ended: an element of ``Queryable/ends``.
public struct QueryEnd<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  public let id: QueryID
  /// What was asked with it.
  public let input: Input
  /// What `query` returned or threw.
  public let result: Result<Answer, any Error>
}

/// Identifies one query of an object. It is not the id of the presentation on record.
public typealias QueryID = PresentationID

struct OpenQuery<Input: Sendable, Answer: Sendable>: Sendable {
  let input: Input
  /// Whether those who watch have been told of it.
  var hasBegun = false
  var handle: PresentationHandle?
  var continuation: CheckedContinuation<Answer, any Error>?
  var presenting: Task<Void, Never>?
  /// What somebody in this process answered.
  var result: Result<Answer, any Error>?
}
