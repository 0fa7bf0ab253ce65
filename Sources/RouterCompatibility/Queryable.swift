public import Observation
import OrderedCollections
public import Router

/// A question, asked by code with `query` and presented by a sheet, an alert or a closure.
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
/// With a sheet or an alert, each query asks the ``EnvironmentValues/presentationBroker`` of the calling task: it waits in the
/// surface's queue and is recorded in the log. With a closure or a reader of ``queries``, queries stay within this object: one
/// at a time, by the same rules, and not recorded. Each query ends exactly once, and `query` always returns or throws.
public final class Queryable<Input: Sendable, Answer: Sendable>: Sendable, Observable {
  /// The policy if another query is open (default for each query).
  public let conflictPolicy: PresentationOptions.ConflictPolicy

  let presentation: QueryPresentation<Input, Answer>
  let state = Mutex(State())
  let ids = PresentationIDGenerator()
  let begun = Broadcast<QueryObservation<Input, Answer>>()
  let ended = Broadcast<QueryEnd<Input, Answer>>()
  private let observed = ObservationRegistrar()

  struct State {
    var open: OrderedDictionary<QueryID, OpenQuery<Input, Answer>> = [:]
    var rules = PresentationSurfaces(.init(limits: .init(perSurface: .max, perUser: .max, total: .max, bytesPerUser: .max)))
    /// The task of the most recent closure, which waits for the previous one.
    var presenting: Task<Void, Never>?
  }

  init(conflictPolicy: PresentationOptions.ConflictPolicy, presentation: QueryPresentation<Input, Answer>) {
    self.conflictPolicy = conflictPolicy
    self.presentation = presentation
    // Queries without a broker always have a presenter.
    let anybody = PresenterIdentity(name: "", process: .noProcess, since: Moment.zero.wall)
    state.withLock { _ = try? $0.rules.handle(.presenterAttached(PresenterID(0), anybody, surface: "main"), at: .zero) }
  }

  /// Asks and waits for the answer. Canceling the task removes the query and throws.
  ///
  /// - Parameter conflictPolicy: The policy if the surface or, without a broker, this object is busy.
  /// - Throws: ``NoAnswer`` if the query ended without an answer; the error of ``QueryResolver/answer(throwing:)``;
  ///   ``RouterError`` if the query was refused, for example with `notInjected`.
  nonisolated(nonsending) public func query(
    with input: Input, conflictPolicy: PresentationOptions.ConflictPolicy? = nil
  ) async throws -> Answer {
    guard !Task.isCancelled else { throw NoAnswer.cancelled(.requester) }
    let conflictPolicy = conflictPolicy ?? self.conflictPolicy
    switch presentation {
    case .broker(let request, let onDismiss): return try await askBroker(request(input), input, conflictPolicy, onDismiss)
    case .closure, .readers: return try await askHere(input, conflictPolicy)
    }
  }

  /// Asks without an input and waits for the answer. See ``query(with:conflictPolicy:)``.
  nonisolated(nonsending) public func query(conflictPolicy: PresentationOptions.ConflictPolicy? = nil) async throws -> Answer
  where Input == Void {
    try await query(with: (), conflictPolicy: conflictPolicy)
  }

  /// Cancels all open queries, last first. They throw ``NoAnswer`` with the reason `cancelled`, requester.
  public func cancel() {
    switch presentation {
    case .broker: for query in state.withLock(\.open).values.reversed() { query.handle?.cancel() }
    case .closure, .readers: cancelAllHere()
    }
  }

  /// Whether a query is open, shown or queued. Observable.
  public var isQuerying: Bool {
    observed.access(self, keyPath: \.isQuerying)
    return state.withLock { !$0.open.isEmpty }
  }

  /// Changes the state, then notifies the observers of ``isQuerying``, which may read it immediately.
  func update<Value>(_ body: (inout sending State) throws -> sending Value) rethrows -> Value {
    let (value, hasChanged) = try state.withLock { state in
      let wasQuerying = !state.open.isEmpty
      let value = try body(&state)
      return (value, state.open.isEmpty == wasQuerying)
    }
    if hasChanged { observed.withMutation(of: self, keyPath: \.isQuerying) {} }
    return value
  }

  /// The queries as they begin, starting with the open ones. Each call creates a stream for one reader.
  ///
  /// A query begins when it reaches the head of the queue or, if a broker shows it, when it is requested. A reader may answer
  /// with ``QueryObservation/resolver``, and must do so if neither a broker nor a closure presents the queries.
  public var queries: AsyncStream<QueryObservation<Input, Answer>> {
    state.withLock { state in
      begun.listen(first: state.open.filter(\.value.hasBegun).map { observation(of: $0.key, $0.value) })
    }
  }

  /// The queries as they end, in order. Each call creates a stream for one reader, which begins with the next end.
  public var ends: AsyncStream<QueryEnd<Input, Answer>> { ended.listen() }

  func observation(of id: QueryID, _ query: OpenQuery<Input, Answer>) -> QueryObservation<Input, Answer> {
    QueryObservation(id: id, input: query.input, resolver: resolver(of: id))
  }

  /// Returns the resolver of a query; `ifDropped` ends the query when the last copy of the resolver is released.
  func resolver(of id: QueryID, ifDropped: QueryResolution<Answer>? = nil) -> QueryResolver<Answer> {
    QueryResolver(ifDropped: ifDropped) { [weak self] resolution in
      guard let self else { return }
      switch presentation {
      case .broker: endAtBroker(id, resolution)
      case .closure, .readers: endHere(id, resolution)
      }
    }
  }
}
