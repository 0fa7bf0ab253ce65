import Logging

/// The target of a ``ShowAction``: a broker or a closure.
protocol PromptTarget: Sendable {
  /// Returns the target with the options and logger of an environment.
  func inside(_ environment: EnvironmentValues) -> any PromptTarget

  /// Returns the target for code inside a presentation.
  func stacking(on broker: StackingBroker) -> any PromptTarget

  /// Shows a prompt, and returns its result.
  ///
  /// - Throws: ``NoAnswer`` if the task is canceled; ``RouterError`` if the request failed or the answer could not be decoded.
  nonisolated(nonsending) func shown<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update
  ) async throws -> Result<P.Answer, NoAnswer>

  /// Shows a prompt without waiting. If the request is refused, the returned handle has ended.
  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) -> PresentationHandle

  /// Shows a sheet while an operation runs.
  func during<S: Sheet, Value: Sendable>(
    _ sheet: S, as kind: PresentationKind, _ options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never
}

extension PresentationAsking: PromptTarget {
  func inside(_ environment: EnvironmentValues) -> any PromptTarget {
    PresentationAsking(broker, in: environment)
  }

  func stacking(on other: StackingBroker) -> any PromptTarget {
    guard let broker, broker.isSame(as: other.broker) else { return self }
    return PresentationAsking(broker: other, options: options, logger: logger)
  }

  nonisolated(nonsending) func shown<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update
  ) async throws -> Result<P.Answer, NoAnswer> {
    try await shown(PresentationRequest.Typed(prompt, as: kind), options)
  }

  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) -> PresentationHandle {
    post(PresentationRequest.Typed(prompt, as: kind), options, onDismiss)
  }

  func during<S: Sheet, Value: Sendable>(
    _ sheet: S, as kind: PresentationKind, _ options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await during(PresentationRequest.Typed(sheet, as: kind), options: options, operation: operation)
  }
}

/// Answers prompts with a closure, without a broker.
struct PromptAnswering: PromptTarget {
  let answer: @Sendable (any Prompt) async throws -> (any Sendable)?
  /// Keeps posts in order.
  private let posts = SerialRunner()

  init(_ answer: @escaping @Sendable (any Prompt) async throws -> (any Sendable)?) { self.answer = answer }

  func inside(_ environment: EnvironmentValues) -> any PromptTarget { self }
  func stacking(on broker: StackingBroker) -> any PromptTarget { self }

  nonisolated(nonsending) func shown<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update
  ) async throws -> Result<P.Answer, NoAnswer> {
    guard !Task.isCancelled else { throw NoAnswer.cancelled(.requester) }
    let answer: (any Sendable)?
    do {
      answer = try await self.answer(prompt)
    } catch is CancellationError {
      throw NoAnswer.cancelled(.requester)
    }
    guard let answer else { return .failure(.dismissed) }
    guard let answer = answer as? P.Answer else {
      throw RouterError(
        .invalid,
        "cannot read the answer to \(prompt.name(as: kind)) as \(P.Answer.self): the action's closure returned a "
          + "\(type(of: answer))")
    }
    return .success(answer)
  }

  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) -> PresentationHandle {
    let environment = EnvironmentValues.current
    let asked = PresentationRequest.Typed(prompt, as: kind)
    let (cancellation, canceling) = AsyncStream<Never>.makeStream()
    let handle = PresentationHandle(withdraw: { canceling.finish() })
    posts.run {
      await EnvironmentValues.$carried.withValue(environment) {
        do {
          var presentation = Presentation(
            id: PresentationIDGenerator().next(at: PresentationClock.system.wall()),
            requester: Presentation.Requester(app: "", process: .noProcess), request: try asked.request(),
            requestedAt: PresentationClock.system.wall())
          handle.accept(presentation)
          let showing = Task { try await shown(prompt, as: kind) { _ in } }
          // Ends when the handle is canceled, or with the prompt.
          let watching = Task {
            for await _ in cancellation {}
            showing.cancel()
          }
          defer { watching.cancel() }
          presentation.outcome =
            switch await showing.result {
            // The answer's wire form is unknown.
            case .success(.success): .answered(.redacted)
            case .success(.failure(let end)), .failure(let end as NoAnswer): end.outcome
            case .failure(let error): throw error
            }
          presentation.state = .resolved
          handle.end(.success(presentation))
          await onDismiss?()
        } catch {
          environment.presentationLogger.report("cannot show what was asked for", error, what: asked.what)
          handle.end(.failure(error as? RouterError ?? RouterError(.invalid, "cannot show \(asked.what)", cause: error)))
        }
      }
    }
    return handle
  }

  func during<S: Sheet, Value: Sendable>(
    _ sheet: S, as kind: PresentationKind, _ options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await operation { _, _ in }
  }
}
