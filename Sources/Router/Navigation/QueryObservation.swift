/// A query that has begun: what ``Queryable/queries`` gives.
public struct QueryObservation<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  /// The query's name, which its ``QueryEnd`` has too.
  public let id: QueryID
  /// What was asked with it.
  public let input: Input
  /// What it can be answered with.
  public let resolver: QueryResolver<Answer>
}

/// A query that has ended: what ``Queryable/ends`` gives.
public struct QueryEnd<Input: Sendable, Answer: Sendable>: Sendable, Identifiable {
  /// The query's name, which its ``QueryObservation`` had too.
  public let id: QueryID
  /// What was asked with it.
  public let input: Input
  /// What `query` returned or threw.
  public let result: Result<Answer, any Error>
}

/// The name of one query of an object. It is not the name under which a broker has it on record.
public struct QueryID: Sendable, Hashable {
  let presentation: PresentationID
}

extension QueryID {
  /// The next name. It orders the queries, and tells no time.
  init(_ ids: PresentationIDGenerator) {
    presentation = ids.next(at: Timestamp(milliseconds: 0))
  }
}

/// A query that has not ended.
struct OpenQuery<Input: Sendable, Answer: Sendable>: Sendable {
  let input: Input
  /// Whether those who watch have been told of it.
  var hasBegun = false
  /// What a broker took it with.
  var handle: PresentationHandle?
  /// Who waits for it, where no broker has it.
  var continuation: CheckedContinuation<Answer, any Error>?
  /// The task of the closure that presents it.
  var presenting: Task<Void, Never>?
  /// What somebody in this process answered.
  var result: Result<Answer, any Error>?
}

/// Who watches an object's queries.
struct QueryWatchers<Input: Sendable, Answer: Sendable>: Sendable {
  var queries: [Int: AsyncStream<QueryObservation<Input, Answer>>.Continuation] = [:]
  var ends: [Int: AsyncStream<QueryEnd<Input, Answer>>.Continuation] = [:]
  private var next = 0

  init() {}

  mutating func add(_ watcher: AsyncStream<QueryObservation<Input, Answer>>.Continuation) -> Int {
    next += 1
    queries[next] = watcher
    return next
  }

  mutating func add(_ watcher: AsyncStream<QueryEnd<Input, Answer>>.Continuation) -> Int {
    next += 1
    ends[next] = watcher
    return next
  }

  func begin(_ query: QueryObservation<Input, Answer>) {
    for watcher in queries.values { watcher.yield(query) }
  }

  func end(_ query: QueryEnd<Input, Answer>) {
    for watcher in ends.values { watcher.yield(query) }
  }
}
