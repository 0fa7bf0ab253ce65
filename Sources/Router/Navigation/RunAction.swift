/// Runs a child, in the words of those who come from async navigation: `@Environment(\.run) private var run`.
///
/// ```swift
/// let address = try await run(PickAddress(recent: recents))     // its first value
/// ```
///
/// It shows a sheet, an alert or a confirmation dialog, waits for the first value, and takes it away: what ``ShowSheetAction``
/// and its neighbours do. The same child may be run again at once. To ask now and listen later there is `start(_:options:)`.
public struct RunAction: Sendable {
  private let environment: EnvironmentValues

  /// The action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    self.environment = environment
  }

  /// Runs a sheet until its first value. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ child: S, options: PresentationOptions? = nil
  ) async throws -> S.Answer {
    try await environment.showSheet(child, options: options)
  }

  /// Runs a sheet that has no value until it is closed. Cancelling the task takes the sheet away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it was not closed by a person; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ child: S, options: PresentationOptions? = nil
  ) async throws where S.Answer == Never {
    try await environment.showSheet(child, options: options)
  }

  /// Runs an alert until a button is pressed, whose action it returns. Cancelling the task takes the alert away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ child: AlertState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await environment.showAlert(child, options: options)
  }

  /// Runs a confirmation dialog until a button is pressed, whose action it returns. Cancelling the task takes it away, and
  /// throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func callAsFunction<Action: Sendable>(
    _ child: ConfirmationDialogState<Action>, options: PresentationOptions? = nil
  ) async throws -> Action {
    try await environment.showConfirmationDialog(child, options: options)
  }

  /// Starts a sheet and does not wait: its first value is kept until somebody asks for it.
  ///
  /// The request is in the broker's mailbox when this returns. The child runs until it is answered or closed, or until
  /// ``RunningChild/cancel()``, also when nobody holds it any more.
  ///
  /// - Throws: ``RouterError`` if there is nobody to ask, or the sheet cannot be encoded.
  public func start<S: Sheet>(_ child: S, options: PresentationOptions? = nil) throws -> RunningChild<S.Answer> {
    RunningChild(handle: try submit(child, options)) { outcome in
      try ShowOutcome(outcome) { try child.answer(from: $0, calledBy: "the sheet \(child.sheetName)") }.get()
    }
  }

  /// Starts a sheet that has no value: asking for its first value waits until it is closed.
  ///
  /// - Throws: ``RouterError`` if there is nobody to ask, or the sheet cannot be encoded.
  public func start<S: Sheet>(_ child: S, options: PresentationOptions? = nil) throws -> RunningChild<Void>
  where S.Answer == Never {
    RunningChild(handle: try submit(child, options)) { outcome in
      try ShowOutcome<Never>(outcome) { _ in nil }.close()
    }
  }

  private func submit(_ child: some Sheet, _ options: PresentationOptions?) throws -> PresentationHandle {
    let asking = PresentationAsking(in: environment)
    let (broker, request) = try asking.prepare("the sheet \(child.sheetName)", options: options) {
      try PresentationRequest(child)
    }
    return broker.submit(request)
  }
}

/// A sheet that `run.start(_:options:)` has started.
public struct RunningChild<Value: Sendable>: Sendable {
  let handle: PresentationHandle
  let read: @Sendable (PresentationOutcome) throws -> Value

  /// The child's first value, which may have come long before. It may be asked for more than once. Cancelling the task takes
  /// the child away, and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it was refused, or if the value is
  ///   no `Value`.
  public func firstValue() async throws -> Value {
    try read(try await handle.outcome())
  }

  /// Takes the child away, unless it has ended.
  public func cancel() {
    handle.cancel()
  }
}

extension EnvironmentValues {
  /// Runs children.
  public var run: RunAction { RunAction(in: self) }
}

extension NavigationProxy {
  /// Runs a child on top of the flow until its first value, as ``RunAction`` does: something to ask on the way, to which the
  /// person does not come back.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without a value; ``RouterError`` if it could not be asked.
  nonisolated(nonsending) public func run<S: Sheet>(_ child: S) async throws -> S.Answer {
    try await withEnvironment(\.presentationBroker, FlowBroker(stack: stack)) { try await RunAction()(child) }
  }
}
