import Logging

/// What a ``ShowAction`` asks: a broker or a closure.
protocol PromptTarget: Sendable {
  /// The target as set in an environment, whose options and logger it takes.
  func inside(_ environment: EnvironmentValues) -> any PromptTarget

  /// The target for code inside a presentation.
  func stacking(on broker: StackingBroker) -> any PromptTarget

  /// Shows a prompt, and returns its outcome.
  ///
  /// - Throws: ``PresentationCancellation`` if the task is canceled; ``RouterError`` if it could not be asked or read.
  nonisolated(nonsending) func shown<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update
  ) async throws -> ShowOutcome<P.Answer>

  /// Shows a prompt without waiting.
  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?)

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
  ) async throws -> ShowOutcome<P.Answer> {
    try await shown(prompt.typedRequest(as: kind), options)
  }

  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) {
    post(prompt.typedRequest(as: kind), options, onDismiss)
  }

  func during<S: Sheet, Value: Sendable>(
    _ sheet: S, as kind: PresentationKind, _ options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await during(sheet.typedRequest(as: kind), options: options, operation: operation)
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
  ) async throws -> ShowOutcome<P.Answer> {
    guard !Task.isCancelled else { throw PresentationCancellation(reason: .cancelled(.requester)) }
    let answer: (any Sendable)?
    do {
      answer = try await self.answer(prompt)
    } catch is CancellationError {
      throw PresentationCancellation(reason: .cancelled(.requester))
    }
    guard let answer else { return .dismissed }
    guard let answer = answer as? P.Answer else {
      throw RouterError(
        .invalid,
        "cannot read the answer to \(prompt.typedRequest(as: kind).what) as \(P.Answer.self): the action's closure returned a "
          + "\(type(of: answer))")
    }
    return .answered(answer)
  }

  func post<P: Prompt>(
    _ prompt: P, as kind: PresentationKind, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) {
    let environment = EnvironmentValues.current
    posts.run {
      await EnvironmentValues.$carried.withValue(environment) {
        do {
          _ = try await shown(prompt, as: kind) { _ in }
          await onDismiss?()
        } catch {
          environment.presentationLogger.report(
            "cannot show what was asked for", error, what: prompt.typedRequest(as: kind).what)
        }
      }
    }
  }

  func during<S: Sheet, Value: Sendable>(
    _ sheet: S, as kind: PresentationKind, _ options: PresentationOptions.Update,
    operation: @escaping @Sendable (@escaping @Sendable (Double, String?) -> Void) async throws -> Value
  ) async throws -> Value where S.Answer == Never {
    try await operation { _, _ in }
  }
}
