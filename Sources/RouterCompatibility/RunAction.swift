public import Router

/// Runs a child until its first value: `let address = try await run(PickAddress(recent: recents))`.
///
/// Shows a sheet, like ``ShowAction``. To show it now and read the answer later, use `start(_:options:)`.
public struct RunAction: Sendable {
  private let environment: EnvironmentValues

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) { self.environment = environment }

  /// Runs a sheet until its first value. Canceling the task removes the sheet and throws.
  /// - Throws: ``NoAnswer`` if the sheet ended without a value; ``RouterError`` if it was refused.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ child: S, options: PresentationOptions.Update = { _ in }
  ) async throws -> S.Answer {
    try await environment.showSheet(child, options: options)
  }

  /// Runs a sheet without a value until it is closed.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ child: S, options: PresentationOptions.Update = { _ in }
  ) async throws where S.Answer == Never {
    try await environment.showSheet(child, options: options)
  }

  /// Starts a sheet without waiting and keeps its first value. The sheet stays until it is answered, closed or canceled, even
  /// without a reference to it.
  ///
  /// - Throws: ``RouterError`` if there is no broker, or the sheet cannot be encoded.
  public func start<S: Sheet>(_ child: S, options: PresentationOptions.Update = { _ in }) throws -> RunningChild<S.Answer> {
    try start(PresentationRequest.Typed(child), options)
  }

  /// Starts a sheet without a value; its first value is available when it is closed.
  public func start<S: Sheet>(_ child: S, options: PresentationOptions.Update = { _ in }) throws -> RunningChild<Void>
  where S.Answer == Never {
    try start(PresentationRequest.Typed(closing: child), options)
  }

  /// Runs a sheet that stays open after each value: `for try await value in try run.values(of: Counter()) { … }`.
  ///
  /// The values end when the person closes the sheet. Leaving the loop, or canceling its task, removes the sheet.
  ///
  /// - Throws: ``RouterError`` if there is no broker, or the sheet cannot be encoded. Iterating throws ``NoAnswer`` if the
  ///   sheet ended in another way; ``RouterError`` if it was refused or a value cannot be decoded.
  public func values<S: Sheet>(
    of child: S, options: PresentationOptions.Update = { _ in }
  ) throws -> AsyncThrowingStream<S.Answer, any Error> {
    let child = try start(PresentationRequest.Typed(child), options) { $0.flow = true }
    let (values, continuation) = AsyncThrowingStream<S.Answer, any Error>.makeStream()
    // Ends with the sheet.
    Task {
      do {
        for await answer in child.handle.answers { if let value = try child.child.read(answer) { continuation.yield(value) } }
        if let end = NoAnswer(try await child.handle.outcome()), end != .dismissed { throw end }
        continuation.finish()
      } catch {
        child.cancel()
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in child.cancel() }
    return values
  }

  private func start<Value>(
    _ child: PresentationRequest.Typed<Value>, _ options: PresentationOptions.Update,
    change: (inout PresentationRequest) -> Void = { _ in }
  ) throws -> RunningChild<Value> {
    let asking = PresentationAsking(in: environment)
    var (broker, request) = try asking.prepare(child.what, options: options, request: child.request)
    change(&request)
    return RunningChild(handle: broker.submit(request), child: child)
  }
}

/// A sheet started with `run.start(_:options:)`.
public struct RunningChild<Value: Sendable>: Sendable {
  let handle: PresentationHandle
  let child: PresentationRequest.Typed<Value>

  /// Returns the child's first value, which may already be available. Canceling the task removes the child and throws.
  ///
  /// - Throws: ``NoAnswer`` if the child ended without a value; ``RouterError`` if it was refused or its value cannot be
  ///   decoded.
  public func firstValue() async throws -> Value {
    try child.answer(from: try await handle.outcome())
  }

  /// Removes the child, unless it has already ended.
  public func cancel() {
    handle.cancel()
  }
}

extension EnvironmentValues {
  /// The action that runs children.
  public var run: RunAction { RunAction(in: self) }
}

extension FlowProxy {
  /// Runs a child on top of the flow until its first value. The person cannot navigate back to it.
  ///
  /// - Throws: ``NoAnswer`` if the child ended without a value; ``RouterError`` if it was refused.
  nonisolated(nonsending) public func run<S: Sheet>(_ child: S) async throws -> S.Answer {
    try await withEnvironment(asking) { try await RunAction()(child) }
  }
}
