public import Router

/// A presenter that a test plays: step by step (take the next event, answer, dismiss, fail, vanish), or by a script that says
/// what the person does with each thing that is shown.
///
/// ```swift
/// let presenter = TestPresenter(coordinator)                       // step by step
/// try await presenter.press("b1", on: try await presenter.nextPresentation())
///
/// let scripted = TestPresenter(coordinator, script: [.choose("Delete"), .dismiss])
/// ```
///
/// It is attached from its making until ``vanish()`` or the end of its life.
public final class TestPresenter: Sendable {
  /// What the record calls it.
  public let name: String
  let attachment: PresenterAttachment
  private let events: AsyncStream<Result<PresenterEvent, any Error>>
  private let played: Mutex<Script>
  /// Reads the attachment's events, which keeps the presenter attached; ended by `vanish()` and with this object.
  private let reading: Mutex<Task<Void, Never>?> = Mutex(nil)

  /// Attaches to a surface. What is shown after the script stays before the person, for the test to go on with.
  public convenience init(
    _ broker: some PresentationBroker, name: String = "test", surface: String = "main", script: [Step] = []
  ) {
    self.init(broker.attach(presenter: name, to: surface), name: name, script: .steps(script))
  }

  /// Attaches to a surface, where a closure says what the person does with each showing.
  public convenience init(
    _ broker: some PresentationBroker, name: String = "test", surface: String = "main",
    answering: @escaping @Sendable (Presentation) async throws -> Step
  ) {
    self.init(broker.attach(presenter: name, to: surface), name: name, script: .closure(answering))
  }

  /// `isAsTold` keeps events in the broker's order; by default a withdrawal comes before what replaces the prompt.
  init(
    _ attachment: PresenterAttachment, name: String, script: Script.Source = .steps([]), isAsTold: Bool = false
  ) {
    let (events, continuation) = AsyncStream<Result<PresenterEvent, any Error>>.makeStream()
    self.name = name
    self.attachment = attachment
    self.events = events
    played = Mutex(Script(source: script))
    let task = Task { [weak self, attachment] in
      var order = WithdrawalFirst()
      do {
        for try await told in attachment.events {
          for event in isAsTold ? [told] : order.take(told) {
            continuation.yield(.success(event))
            if case .present(let presentation, _) = event { await self?.play(presentation) }
          }
        }
      } catch {
        continuation.yield(.failure(error))
      }
      continuation.finish()
    }
    reading.withLock { $0 = task }
  }

  deinit {
    reading.withLock { $0 }?.cancel()
  }

  /// Every showing that has come to this presenter, in order.
  public var shown: [Presentation] { played.withLock(\.shown) }

  /// What of the script has not been played.
  public var unplayed: [Step] { played.withLock(\.unplayed) }

  var refused: [(step: String, error: String)] { played.withLock(\.refused) }

  private func play(_ presentation: Presentation) async {
    let next = played.withLock { script in
      script.shown.append(presentation)
      return script.next()
    }
    var name = "the closure"
    do {
      guard let step = try await next(presentation) else { return }
      name = step.description
      try await carryOut(step, on: presentation)
    } catch is CancellationError where Task.isCancelled {
      // It has vanished.
    } catch {
      played.withLock { [name] script in script.refused.append((name, String(describing: error))) }
    }
  }

  // MARK: Step by step

  /// Waits for the next event; throws `CancellationError` when there will be none, or what ended the attachment.
  public func next() async throws -> PresenterEvent {
    for await event in events { return try event.get() }
    throw CancellationError()
  }

  /// The next presentation to show; counts of those who wait are passed over, and so is what is withdrawn before it.
  public func nextPresentation() async throws -> Presentation {
    while true {
      if case .present(let presentation, _) = try await next() { return presentation }
    }
  }

  /// The next withdrawal; all else is passed over.
  public func nextWithdrawal() async throws -> (id: PresentationID, reason: PresenterEvent.Withdrawal) {
    while true {
      if case .withdraw(let id, _, let reason) = try await next() { return (id, reason) }
    }
  }

  /// Presses a button of what was shown, by its id.
  @discardableResult
  public func press(_ button: String, on presentation: Presentation) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .answer(.button(button)))
  }

  /// Presses the button with a label; throws ``RouterError`` unless exactly one has it and the answer counts.
  @discardableResult
  public func choose(_ label: String, on presentation: Presentation) async throws -> Presentation {
    let buttons = presentation.request.buttons
    let wanted = buttons.filter { $0.label == label }
    guard let button = wanted.first, wanted.count == 1 else {
      let labels = buttons.map { "\"\($0.label)\"" }.joined(separator: ", ")
      throw RouterError(.invalid, "cannot choose \"\(label)\": the buttons are \(labels.isEmpty ? "none" : labels)")
    }
    return try await press(button.id, on: presentation)
  }

  /// Answers what was shown with a value.
  @discardableResult
  public func answer(_ value: JSONValue, on presentation: Presentation) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .answer(.value(value)))
  }

  /// Closes what was shown.
  @discardableResult
  public func dismiss(_ presentation: Presentation) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .dismiss)
  }

  /// Says that it cannot be shown.
  @discardableResult
  public func fail(_ presentation: Presentation, detail: String) async throws -> Presentation {
    try await attachment.fail(presentation.id, presentation.generation, detail)
  }

  /// Goes away, as a presenter does whose process was killed.
  public func vanish() {
    reading.withLock { $0 }?.cancel()
  }
}
