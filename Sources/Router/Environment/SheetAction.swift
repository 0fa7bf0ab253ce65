/// Shows sheets: `@Environment(\.showSheet) private var showSheet`.
///
/// ```swift
/// let address = try await showSheet(PickAddress(recent: recents))
/// showSheet(AppSheet.settings, onDismiss: settingsScreenDismissed)
/// let outcome = await showSheet.outcome(of: PickAddress(recent: recents))
/// ```
public typealias ShowSheetAction = SheetAction<SheetStyle>

/// Shows full-screen covers: `@Environment(\.showFullScreenCover) private var showFullScreenCover`.
public typealias ShowFullScreenCoverAction = SheetAction<FullScreenCoverStyle>

/// How a ``SheetAction`` shows a ``Sheet``.
public protocol SheetActionStyle {
  static var kind: PresentationKind { get }
}

/// The style of ``ShowSheetAction``.
public enum SheetStyle: SheetActionStyle {
  public static var kind: PresentationKind { .sheet }
}

/// The style of ``ShowFullScreenCoverAction``.
public enum FullScreenCoverStyle: SheetActionStyle {
  public static var kind: PresentationKind { .fullScreenCover }
}

/// Shows a ``Sheet`` as a sheet or a full-screen cover, through the ``EnvironmentValues/presentationBroker`` of its environment
/// and by default with its ``EnvironmentValues/presentationOptions``.
public struct SheetAction<Style: SheetActionStyle>: Sendable {
  private let asking: PresentationAsking

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    asking = PresentationAsking(in: environment)
  }

  /// Shows a sheet and waits for the answer. Canceling the task removes the sheet and throws.
  ///
  /// - Throws: ``PresentationCancellation`` if it ended without an answer; ``RouterError`` if it could not be asked or read.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws -> S.Answer {
    try await shown(sheet, options).get()
  }

  /// Shows a sheet without an answer and waits until it is closed. Canceling the task removes the sheet and throws.
  nonisolated(nonsending) public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil
  ) async throws where S.Answer == Never {
    try await shown(sheet, options).close()
  }

  /// Shows a sheet without waiting. In asynchronous code, pass `onDismiss: nil` to select this overload.
  ///
  /// Two calls in a row keep their order. A refused request is logged as critical; otherwise `onDismiss` is called once, in
  /// the environment of this call.
  public func callAsFunction<S: Sheet>(
    _ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil
  ) {
    let asked = TypedRequest(sheet, as: Style.kind)
    asking.post(asked.what, options: options, onDismiss: onDismiss, request: asked.request)
  }

  /// Shows a sheet and waits for its outcome. A sheet without an answer ends as dismissed.
  nonisolated(nonsending) public func outcome<S: Sheet>(
    of sheet: S, options: PresentationOptions? = nil
  ) async -> ShowOutcome<S.Answer> {
    await ShowOutcome { try await shown(sheet, options) }
  }

  /// Shows a sheet without an answer while an operation runs: `try await showSheet.during(Uploading(file)) { … }`.
  ///
  /// The sheet is removed when the operation returns or throws. If the sheet ends first, the operation is canceled.
  ///
  /// - Throws: What the operation throws; ``PresentationCancellation`` if the sheet ended first and the operation threw;
  /// ``RouterError`` if the sheet could not be asked for, and then the operation does not run.
  public func during<S: Sheet, Value: Sendable>(
    _ sheet: S, options: PresentationOptions? = nil, operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await asking.during(TypedRequest(sheet, as: Style.kind), options: options, operation: operation)
  }

  nonisolated(nonsending) private func shown<S: Sheet>(
    _ sheet: S, _ options: PresentationOptions?
  ) async throws -> ShowOutcome<S.Answer> {
    try await asking.shown(TypedRequest(sheet, as: Style.kind), options)
  }
}

extension SheetAction {
  /// Shows the sheets of one type, so that `showSheet(.settings)` is enough. Declare it once per app, optionally under the
  /// built-in name, which it then shadows in its module:
  ///
  /// ```swift
  /// extension EnvironmentValues {
  ///   var showSheet: ShowSheetAction.For<AppSheet> { .init(in: self) }
  /// }
  /// ```
  public struct For<S: Sheet>: Sendable {
    private let show: SheetAction

    /// Creates the action of an environment.
    public init(in environment: EnvironmentValues = .current) {
      show = SheetAction(in: environment)
    }

    /// Shows a sheet and waits for the answer, as ``SheetAction`` does.
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

    /// Shows a sheet without waiting.
    public func callAsFunction(_ sheet: S, options: PresentationOptions? = nil, onDismiss: DismissCallback? = nil) {
      show(sheet, options: options, onDismiss: onDismiss)
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
  }
}
