import OrderedCollections

/// A question that code asks with `query` and that something presents: a sheet, an alert, a closure.
///
/// ```swift
/// let deletion = Queryable<String, Bool>(alert: { name in
///   AlertState("Delete \(name)?") {
///     ButtonState("Delete", role: .destructive, action: true)
///     ButtonState("Keep", role: .cancel, action: false)
///   }
/// })
/// if try await deletion.query(with: "notes.txt") { … }
/// ```
///
/// What presents it is said when it is made. With a sheet or an alert each query asks the
/// ``EnvironmentValues/presentationBroker`` of the task that queries: it stands in line with all else on the surface and is
/// on record. With a closure, or for whoever reads ``queries``, it stays within this object: one query at a time, by the same
/// rules, and on no record.
///
/// Each query ends exactly once, and `query` always returns or throws.
public final class Queryable<Input: Sendable, Answer: Sendable>: Sendable {
  /// What happens to a query that finds another one in its place, unless the query says otherwise.
  public let conflictPolicy: ConflictPolicy

  let presentation: QueryPresentation<Input, Answer>
  let state = Mutex(State())
  let ids = PresentationIDGenerator()

  struct State {
    /// The open queries, in the order in which they were asked.
    var open: OrderedDictionary<QueryID, OpenQuery<Input, Answer>> = [:]
    /// Whose turn it is, where no broker says so.
    var rules = PresentationQueue()
    /// The task of the last closure that was started. It waits for the one before.
    var presenting: Task<Void, Never>?
    var watchers = QueryWatchers<Input, Answer>()
  }

  init(conflictPolicy: ConflictPolicy, presentation: QueryPresentation<Input, Answer>) {
    self.conflictPolicy = conflictPolicy
    self.presentation = presentation
    // Within this object there is always somebody to show things: whoever the queries are handed to.
    let anybody = PresenterIdentity(name: "", process: .noProcess, since: Moment.zero.wall)
    state.withLock { _ = $0.rules.attach(PresenterID(0), anybody, to: "", at: .zero) }
  }

  // MARK: Asking

  /// Asks and waits for the answer.
  ///
  /// Cancelling the task takes the query away, and throws.
  ///
  /// - Parameters:
  ///   - input: What is asked with.
  ///   - conflictPolicy: What happens if something is in its place; the object's own policy where it is left out.
  ///     Where a broker shows queries, the place is the surface, whoever asked for what is there; else it is this object.
  /// - Throws: ``PresentationCancellation`` if it ended without an answer, with the reason; what
  ///   ``QueryResolver/answer(throwing:)`` was given; ``RouterError`` if it could not be asked, such as `notInjected`.
  nonisolated(nonsending) public func query(
    with input: Input, conflictPolicy: ConflictPolicy? = nil
  ) async throws -> Answer {
    guard !Task.isCancelled else { throw PresentationCancellation(reason: .cancelled(.requester)) }
    let conflictPolicy = conflictPolicy ?? self.conflictPolicy
    switch presentation {
    case .broker(let sheet): return try await askBroker(sheet, input, conflictPolicy)
    case .closure, .readers: return try await askHere(input, conflictPolicy)
    }
  }

  /// Asks and waits for the answer, where there is nothing to say with the question. See ``query(with:conflictPolicy:)``.
  nonisolated(nonsending) public func query(conflictPolicy: ConflictPolicy? = nil) async throws -> Answer
  where Input == Void {
    try await query(with: (), conflictPolicy: conflictPolicy)
  }

  /// Takes all open queries of this object away, the last one first; they throw ``PresentationCancellation`` with the reason
  /// `cancelled`, requester.
  public func cancel() {
    switch presentation {
    case .broker: for query in state.withLock(\.open).values.reversed() { query.handle?.cancel() }
    case .closure, .readers: cancelAllHere()
    }
  }

  // MARK: Watching

  /// Whether a query is open, shown or in line.
  public var isQuerying: Bool { state.withLock { !$0.open.isEmpty } }

  /// Each query as it begins, and first of all those that have begun and are open; for one reader each time that it is called.
  ///
  /// A query begins when its turn has come; where a broker shows it, when it was asked. Whoever reads may answer with
  /// the observation's ``QueryObservation/resolver``: where neither broker nor closure presents, that is who presents.
  public var queries: AsyncStream<QueryObservation<Input, Answer>> {
    let (stream, continuation) = AsyncStream<QueryObservation<Input, Answer>>.makeStream()
    let number = state.withLock { state in
      for (id, query) in state.open where query.hasBegun { continuation.yield(observation(of: id, query)) }
      return state.watchers.add(continuation)
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.queries.removeValue(forKey: number) }
    }
    return stream
  }

  /// Each query as it ends from now on, and how, in the order of ending; for one reader each time that it is called.
  public var ends: AsyncStream<QueryEnd<Input, Answer>> {
    let (stream, continuation) = AsyncStream<QueryEnd<Input, Answer>>.makeStream()
    let number = state.withLock { $0.watchers.add(continuation) }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.watchers.ends.removeValue(forKey: number) }
    }
    return stream
  }

  func observation(of id: QueryID, _ query: OpenQuery<Input, Answer>) -> QueryObservation<Input, Answer> {
    QueryObservation(id: id, input: query.input, resolver: resolver(of: id))
  }

  /// What ends a query of this object.
  ///
  /// - Parameter ifDropped: What it means when the last copy is gone.
  func resolver(of id: QueryID, ifDropped: QueryResolution<Answer>? = nil) -> QueryResolver<Answer> {
    QueryResolver(ifDropped: ifDropped) { [weak self] resolution in
      guard let self else { return }
      switch presentation {
      case .broker: endAtBroker(id, resolution)
      case .closure, .readers: endHere(id, resolution)
      }
    }
  }

  deinit {
    let watchers = state.withLock(\.watchers)
    for continuation in watchers.queries.values { continuation.finish() }
    for continuation in watchers.ends.values { continuation.finish() }
  }
}
