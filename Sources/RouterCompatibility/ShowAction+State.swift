public import Observation
public import Router

/// Prompts driven by a model's state, as in swift-navigation:
///
/// ```swift
/// try await showAlert(model, \.alert) { action in model.alertButtonTapped(action) }
/// ```
extension ShowAction {
  /// Shows the prompt in a property of an observable model while the property is not `nil`, until the task is canceled.
  ///
  /// A value shows the prompt, another value replaces it, and `nil` withdraws it. When the prompt ends in another way, the
  /// property is set to `nil`, unless it has changed in the meantime; then the handler is called.
  ///
  /// Canceling the task withdraws the prompt, leaves the property unchanged, and returns. The property is read and set, and the
  /// handler runs, on the caller's actor. Change the property only there.
  ///
  /// - Parameters:
  ///   - handler: Called with the answer (for a button, its action), or with `nil` if the prompt was dismissed, expired, was
  ///     canceled by others or could not be shown. An answer given just before a withdrawal counts. The next prompt waits until
  ///     the handler returns.
  /// - Throws: ``RouterError`` if a prompt was refused or its answer could not be decoded, once the property is `nil`.
  nonisolated(nonsending) public func callAsFunction<Model: AnyObject & Observable, P: Prompt & Equatable>(
    _ model: Model, _ prompt: ReferenceWritableKeyPath<Model, P?>, options: @escaping PresentationOptions.Update = { _ in },
    handler: nonisolated(nonsending) (P.Answer?) async -> Void
  ) async throws {
    try await follow(
      { model[keyPath: prompt] }, id: { $0 }, prompt: { $0 }, options: options, reset: { model[keyPath: prompt] = nil },
      handler: { _, answer in await handler(answer) })
  }

  /// Shows a prompt about the item in a property of an observable model while the property is not `nil`, until the task is
  /// canceled.
  ///
  /// An item with a different id replaces the prompt. Otherwise behaves like ``callAsFunction(_:_:options:handler:)``.
  ///
  /// - Parameters:
  ///   - prompt: Returns the prompt about an item. Called each time it is shown.
  ///   - handler: Called with the item of the prompt, and the answer or `nil`.
  /// - Throws: ``RouterError`` if a prompt was refused or its answer could not be decoded, once the property is `nil`.
  nonisolated(nonsending) public func callAsFunction<Model: AnyObject & Observable, Item: Identifiable, P: Prompt>(
    _ model: Model, item: ReferenceWritableKeyPath<Model, Item?>, options: @escaping PresentationOptions.Update = { _ in },
    prompt: (Item) -> P, handler: nonisolated(nonsending) (Item, P.Answer?) async -> Void = { _, _ in }
  ) async throws {
    try await follow(
      { model[keyPath: item] }, id: \.id, prompt: prompt, options: options, reset: { model[keyPath: item] = nil },
      handler: handler)
  }

  /// Shows a prompt while a property of an observable model is `true`, until the task is canceled.
  ///
  /// When the prompt ends, the property is set to `false`. Otherwise behaves like ``callAsFunction(_:_:options:handler:)``.
  ///
  /// - Parameters:
  ///   - prompt: Returns the prompt. Called each time it is shown.
  ///   - handler: Called with the answer, or `nil`.
  /// - Throws: ``RouterError`` if a prompt was refused or its answer could not be decoded, once the property is `false`.
  nonisolated(nonsending) public func callAsFunction<Model: AnyObject & Observable, P: Prompt>(
    _ model: Model, isPresented: ReferenceWritableKeyPath<Model, Bool>,
    options: @escaping PresentationOptions.Update = { _ in },
    prompt: () -> P, handler: nonisolated(nonsending) (P.Answer?) async -> Void = { _ in }
  ) async throws {
    try await follow(
      { model[keyPath: isPresented] ? true : nil }, id: { $0 }, prompt: { _ in prompt() }, options: options,
      reset: { model[keyPath: isPresented] = false }, handler: { _, answer in await handler(answer) })
  }

  private nonisolated(nonsending) func follow<State, ID: Equatable, P: Prompt>(
    _ state: () -> State?, id: (State) -> ID, prompt: (State) -> P, options: @escaping PresentationOptions.Update,
    reset: () -> Void,
    handler: nonisolated(nonsending) (State, P.Answer?) async -> Void
  ) async throws {
    while !Task.isCancelled {
      let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      guard let shown = withObservationTracking(state, onChange: { change.yield() }) else {
        for await _ in changes { break }
        continue
      }
      func isCurrent() -> Bool { state().map(id) == id(shown) }
      // Ends with the prompt, which is withdrawn below when the state changes or this task is canceled.
      let showing = Task { [prompt = prompt(shown)] in
        defer { change.finish() }
        return try await self(prompt, options: options)
      }
      var isWithdrawn = false
      for await _ in changes where !withObservationTracking(isCurrent, onChange: { change.yield() }) {
        isWithdrawn = true
        break
      }
      showing.cancel()
      let result = await showing.result
      if isWithdrawn || Task.isCancelled, case .failure(NoAnswer.cancelled(.requester)) = result { continue }
      if !isWithdrawn, isCurrent() { reset() }
      switch result {
      case .success(let answer): await handler(shown, answer)
      case .failure(is NoAnswer): await handler(shown, nil)
      case .failure(let error): throw error
      }
    }
  }
}
