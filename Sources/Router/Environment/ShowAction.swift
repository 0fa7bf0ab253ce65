/// Shows sheets, alerts and confirmation dialogs: `@Environment(\.showAlert) private var showAlert`.
///
/// ```swift
/// let address = try await showSheet(PickAddress(recent: recents))         // waits for the answer
/// showSheet(PickAddress(recent: recents), reload)                         // does not wait, and calls back once
/// let result = await showSheet.result(of: PickAddress(recent: recents))   // waits, and never throws
/// ```
///
/// It uses the ``EnvironmentValues/presentationBroker`` of its environment, unless the action itself was set there. The options
/// of a call override those of ``EnvironmentValues/presentationOptions``.
public struct ShowAction: Sendable {
  let target: any PromptTarget
  private let kind: PresentationKind

  /// Creates the action of an environment for prompts of a kind. With `.fullScreenCover`, it shows sheets as covers.
  public init(in environment: EnvironmentValues = .current, as kind: PresentationKind = .sheet) {
    self.init(environment.targets[kind]?.inside(environment) ?? PresentationAsking(in: environment), as: kind)
  }

  /// Creates an action with its own broker, to be set in an environment.
  public init(_ broker: any PresentationBroker) { self.init(PresentationAsking(broker, in: .current)) }

  /// Creates an action that answers prompts of one type with a closure, for a preview or a test without a broker. Prompts of
  /// other types are refused with a ``RouterError`` of the code `notInjected`.
  ///
  /// - Parameter answer: Returns the answer; `nil` closes the prompt without an answer.
  public init<P: Prompt>(_ answer: @escaping @Sendable (P) async throws -> P.Answer?) {
    self.init(answeringAll: { prompt in
      guard let prompt = prompt as? P else {
        throw RouterError(
          .notInjected, "cannot show a \(type(of: prompt)): the action of the environment answers only a \(P.self)")
      }
      return try await answer(prompt)
    })
  }

  /// Creates an action that answers prompts of all types with a closure.
  ///
  /// - Parameter answer: Returns an answer of the prompt's type; `nil` closes the prompt without an answer.
  public init(answeringAll answer: @escaping @Sendable (any Prompt) async throws -> (any Sendable)?) {
    self.init(PromptAnswering(answer))
  }

  private init(_ target: any PromptTarget, as kind: PresentationKind = .sheet) {
    (self.target, self.kind) = (target, kind == .fullScreenCover ? kind : .sheet)
  }

  /// Shows a prompt and returns the answer; for a button, its action. Canceling the task removes the prompt and throws.
  ///
  /// - Throws: ``NoAnswer`` if the prompt ended without an answer; ``RouterError`` if the request was refused or the answer
  ///   could not be decoded, for example because two buttons of an alert have no action.
  nonisolated(nonsending) public func callAsFunction<P: Prompt>(
    _ prompt: P, options: PresentationOptions.Update = { _ in }
  ) async throws -> P.Answer {
    try await target.shown(prompt, as: kind, options).get()
  }

  /// Shows a prompt without an answer and waits until it is closed. Canceling the task removes the prompt and throws.
  ///
  /// - Throws: ``NoAnswer`` if it ended in another way; ``RouterError`` if the request was refused.
  nonisolated(nonsending) public func callAsFunction<P: Prompt>(
    _ prompt: P, options: PresentationOptions.Update = { _ in }
  ) async throws where P.Answer == Never {
    try await target.shown(prompt, as: kind, options).close()
  }

  /// Shows a prompt without waiting; the answer is discarded.
  ///
  /// Two calls in a row keep their order. A refused request is logged as critical; otherwise `onDismiss` is called once, in the
  /// environment of this call.
  ///
  /// - Returns: The handle, to cancel the prompt or to wait for its end. If the request was refused, it has ended with the
  ///   ``RouterError``.
  @discardableResult
  public func post(_ prompt: some Prompt, options: PresentationOptions.Update = { _ in }) -> PresentationHandle {
    target.post(prompt, as: kind, options, nil)
  }

  /// Shows a prompt without waiting, like ``post(_:options:)``, and calls back.
  @discardableResult
  public func post(
    _ prompt: some Prompt, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext onDismiss: @escaping @Sendable () async -> Void
  ) -> PresentationHandle {
    target.post(prompt, as: kind, options, onDismiss)
  }

  /// Shows a prompt without waiting, and calls back once it has ended: `showSheet(.settings, settingsScreenDismissed)`.
  /// Shorthand for ``post(_:options:onDismiss:)``.
  @discardableResult
  public func callAsFunction(
    _ prompt: some Prompt, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext _ onDismiss: @escaping @Sendable () async -> Void
  ) -> PresentationHandle {
    post(prompt, options: options, onDismiss: onDismiss)
  }

  /// Shows a prompt, waits for its end and returns the answer, or the reason why there is none; ``NoAnswer/failed(_:)``
  /// includes the errors that the other calls throw as ``RouterError``.
  nonisolated(nonsending) public func result<P: Prompt>(
    of prompt: P, options: PresentationOptions.Update = { _ in }
  ) async -> Result<P.Answer, NoAnswer> {
    await Result { try await target.shown(prompt, as: kind, options) }
  }

  /// Shows a sheet without an answer while an operation runs: `try await showSheet.during(Uploading(file)) { … }`.
  ///
  /// The sheet is removed when the operation returns or throws. If the sheet ends first, the operation is canceled. Requests of
  /// the operation are stacked on the sheet.
  ///
  /// - Throws: The operation's error; ``NoAnswer`` if the sheet ended first and the operation threw; ``RouterError`` if the
  ///   sheet was refused, in which case the operation does not run.
  public func during<S: Sheet, Value: Sendable>(
    _ sheet: S, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await during(sheet, options: options) { _ in try await operation() }
  }

  /// Shows a sheet while an operation runs. The operation reports progress from 0 to 1, optionally with one line of text:
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
    _ sheet: S, options: PresentationOptions.Update = { _ in },
    @_inheritActorContext operation:
      @escaping @Sendable (_ progress: @escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await target.during(sheet, as: kind, options, operation: operation)
  }
}

extension ShowAction {
  /// Shows the prompts of one type, so that `showSheet(.settings)` is enough. Declare it once per app. Under the built-in name,
  /// it shadows the built-in action in its module:
  ///
  /// ```swift
  /// extension EnvironmentValues {
  ///   nonisolated var showSheet: ShowAction.For<AppSheet> { .init(in: self) }
  /// }
  /// ```
  public struct For<P: Prompt>: Sendable {
    private let show: ShowAction

    /// Creates the action of an environment, like ``ShowAction/init(in:as:)``.
    public init(in environment: EnvironmentValues = .current, as kind: PresentationKind = .sheet) {
      show = ShowAction(in: environment, as: kind)
    }

    /// Shows a prompt and returns the answer, like ``ShowAction``.
    nonisolated(nonsending) public func callAsFunction(
      _ prompt: P, options: PresentationOptions.Update = { _ in }
    ) async throws -> P.Answer {
      try await show(prompt, options: options)
    }

    /// Shows a prompt without an answer and waits until it is closed.
    nonisolated(nonsending) public func callAsFunction(
      _ prompt: P, options: PresentationOptions.Update = { _ in }
    ) async throws where P.Answer == Never {
      try await show(prompt, options: options)
    }

    /// Shows a prompt without waiting; the answer is discarded.
    @discardableResult
    public func post(_ prompt: P, options: PresentationOptions.Update = { _ in }) -> PresentationHandle {
      show.post(prompt, options: options)
    }

    /// Shows a prompt without waiting, and calls back once it has ended.
    @discardableResult
    public func post(
      _ prompt: P, options: PresentationOptions.Update = { _ in },
      @_inheritActorContext onDismiss: @escaping @Sendable () async -> Void
    ) -> PresentationHandle {
      show.post(prompt, options: options, onDismiss: onDismiss)
    }

    /// Shows a prompt without waiting, and calls back once it has ended.
    @discardableResult
    public func callAsFunction(
      _ prompt: P, options: PresentationOptions.Update = { _ in },
      @_inheritActorContext _ onDismiss: @escaping @Sendable () async -> Void
    ) -> PresentationHandle {
      post(prompt, options: options, onDismiss: onDismiss)
    }

    /// Shows a prompt, waits for its end and returns the answer, or the reason why there is none.
    nonisolated(nonsending) public func result(
      of prompt: P, options: PresentationOptions.Update = { _ in }
    ) async -> Result<P.Answer, NoAnswer> {
      await show.result(of: prompt, options: options)
    }

    /// Shows a sheet without an answer while an operation runs.
    public func during<Value: Sendable>(
      _ sheet: P, options: PresentationOptions.Update = { _ in },
      @_inheritActorContext operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value where P: Sheet, P.Answer == Never {
      try await show.during(sheet, options: options, operation: operation)
    }

    /// Shows a sheet without an answer while an operation runs and reports progress.
    public func during<Value: Sendable>(
      _ sheet: P, options: PresentationOptions.Update = { _ in },
      @_inheritActorContext operation:
        @escaping @Sendable (_ progress: @escaping @Sendable (Double, String?) -> Void) async throws -> Value
    ) async throws -> Value where P: Sheet, P.Answer == Never {
      try await show.during(sheet, options: options, operation: operation)
    }
  }
}
