/// Shows sheets, or full-screen covers: `@Environment(\.showSheet) private var showSheet`.
///
/// ```swift
/// let address = try await showSheet(PickAddress(recent: recents))         // waits for the answer
/// showSheet.post(PickAddress(recent: recents), onDismiss: reload)         // does not wait
/// let outcome = await showSheet.outcome(of: PickAddress(recent: recents)) // waits, and never throws
/// ```
///
/// It asks the ``EnvironmentValues/presentationBroker`` of its environment. The options of a call override those of
/// ``EnvironmentValues/presentationOptions``.
public struct ShowSheetAction: Sendable {
  private let asking: PresentationAsking
  private let kind: PresentationKind

  /// The action of an environment, for sheets, or `as: .fullScreenCover` for covers.
  public init(in environment: EnvironmentValues = .current, as kind: PresentationKind = .sheet) {
    asking = PresentationAsking(in: environment)
    self.kind = kind
  }

  /// Shows a sheet and waits for the answer. Canceling the task removes the sheet and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked or read.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws -> S.Answer {
    try await asking.answer(to: TypedRequest(sheet, as: kind), options)
  }

  /// Shows a sheet without an answer and waits until it is closed. Canceling the task removes the sheet and throws.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws where S.Answer == Never {
    try await asking.close(TypedRequest(sheet, as: kind), options)
  }

  /// Shows a sheet without an answer and does not wait, as ``post(_:options:onDismiss:)`` does.
  public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil
  ) where S.Answer == Never {
    post(sheet, options: options, onDismiss: onDismiss)
  }

  /// Shows a sheet without waiting; its answer is dropped.
  ///
  /// Two calls in a row keep their order. A refused request is logged as critical; otherwise `onDismiss` is called once, in
  /// the environment of this call.
  public func post<S: Sheet>(_ sheet: S, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil) {
    asking.post(TypedRequest(sheet, as: kind), options, onDismiss)
  }

  /// Shows a sheet and waits for its outcome. A sheet without an answer ends as dismissed.
  nonisolated(nonsending) public func outcome<S: Sheet>(
    of sheet: S, options: PresentationOptions? = nil
  ) async -> ShowOutcome<S.Answer> {
    await asking.outcome(of: TypedRequest(sheet, as: kind), options)
  }

  /// Shows a sheet without an answer while an operation runs: `try await showSheet.during(Uploading(file)) { … }`.
  ///
  /// The sheet is removed when the operation returns or throws. If the sheet ends first, the operation is canceled. What the
  /// operation asks for is stacked on the sheet.
  ///
  /// - Throws: What the operation throws; ``PresentationCancellation`` if the sheet ended first and the operation threw;
  /// ``RouterError`` if the sheet could not be asked for, and then the operation does not run.
  public func during<S: Sheet, Value: Sendable>(
    _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await during(sheet, options: options) { _ in try await operation() }
  }

  /// Shows a sheet while an operation runs that reports progress, from 0 to 1, perhaps with one line of text:
  ///
  /// ```swift
  /// try await showSheet.during(Copying(files)) { progress in
  ///   for (index, file) in files.enumerated() {
  ///     progress(Double(index) / Double(files.count), file.name)
  ///     try await copy(file)
  ///   }
  /// }
  /// ```
  ///
  /// Progress is advisory: it is not recorded, and may be skipped.
  public func during<S: Sheet, Value: Sendable>(
    _ sheet: S, options: PresentationOptions? = nil,
    operation: @escaping @Sendable (_ progress: @escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await asking.during(TypedRequest(sheet, as: kind), options: options, operation: operation)
  }
}

extension ShowSheetAction {
  /// Shows the sheets of one type, so that `showSheet(.settings)` is enough. Declare it once per app, optionally under the
  /// built-in name, which it then shadows in its module:
  ///
  /// ```swift
  /// extension EnvironmentValues {
  ///   var showSheet: ShowSheetAction.For<AppSheet> { .init(in: self) }
  /// }
  /// ```
  public struct For<S: Sheet>: Sendable {
    private let show: ShowSheetAction

    /// The action of an environment, for sheets, or `as: .fullScreenCover` for covers.
    public init(in environment: EnvironmentValues = .current, as kind: PresentationKind = .sheet) {
      show = ShowSheetAction(in: environment, as: kind)
    }

    /// Shows a sheet and waits for the answer, as ``ShowSheetAction`` does.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws -> S.Answer {
      try await show(sheet, options: options)
    }

    /// Shows a sheet without an answer and waits until it is closed.
    nonisolated(nonsending) public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil
    ) async throws where S.Answer == Never {
      try await show(sheet, options: options)
    }

    /// Shows a sheet without an answer and does not wait.
    public func callAsFunction(
      _ sheet: S, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil
    ) where S.Answer == Never {
      show.post(sheet, options: options, onDismiss: onDismiss)
    }

    /// Shows a sheet without waiting; its answer is dropped.
    public func post(_ sheet: S, options: PresentationOptions? = nil, onDismiss: (@Sendable () async -> Void)? = nil) {
      show.post(sheet, options: options, onDismiss: onDismiss)
    }

    /// Shows a sheet and waits for its outcome.
    nonisolated(nonsending) public func outcome(
      of sheet: S, options: PresentationOptions? = nil
    ) async -> ShowOutcome<S.Answer> {
      await show.outcome(of: sheet, options: options)
    }

    /// Shows a sheet without an answer while an operation runs.
    public func during<Value: Sendable>(
      _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value where S.Answer == Never {
      try await show.during(sheet, options: options, operation: operation)
    }

    /// Shows a sheet without an answer while an operation runs that reports progress.
    public func during<Value: Sendable>(
      _ sheet: S, options: PresentationOptions? = nil,
      operation: @escaping @Sendable (_ progress: @escaping @Sendable (Double, String?) -> Void) async throws -> Value
    ) async throws -> Value where S.Answer == Never {
      try await show.during(sheet, options: options, operation: operation)
    }
  }
}
