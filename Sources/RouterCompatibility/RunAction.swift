public import Router

/// Runs a child until its first value: `let address = try await run(PickAddress(recent: recents))`.
///
/// It shows a sheet, as ``ShowAction`` does. To ask now and read the answer later, use `start(_:options:)`.
public struct RunAction: Sendable {
  private let environment: EnvironmentValues

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) { self.environment = environment }

  /// Runs a sheet until its first value. Canceling the task removes the sheet and throws.
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
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

  /// Starts a sheet without waiting and keeps its first value. It runs until it is answered, closed or canceled, even if
  /// nothing refers to it.
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

  private func start<Value>(_ child: PresentationRequest.Typed<Value>, _ options: PresentationOptions.Update) throws
    -> RunningChild<
      Value
    >
  {
    let asking = PresentationAsking(in: environment)
    let (broker, request) = try asking.prepare(child.what, options: options, request: child.request)
    return RunningChild(handle: broker.submit(request), child: child)
  }
}

/// A sheet started with `run.start(_:options:)`.
public struct RunningChild<Value: Sendable>: Sendable {
  let handle: PresentationHandle
  let child: PresentationRequest.Typed<Value>

  /// Returns the child's first value, which may already be available. Canceling the task removes the child and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it was refused or cannot be
  /// decoded.
  public func firstValue() async throws -> Value {
    try child.answer(from: try await handle.outcome())
  }

  /// Removes the child unless it has ended.
  public func cancel() {
    handle.cancel()
  }
}

extension EnvironmentValues {
  /// Runs children.
  public var run: RunAction { RunAction(in: self) }
}

extension FlowProxy {
  /// Runs a child on top of the flow until its first value. The person cannot navigate back to it.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func run<S: Sheet>(_ child: S) async throws -> S.Answer {
    try await withEnvironment(asking) { try await RunAction()(child) }
  }
}
