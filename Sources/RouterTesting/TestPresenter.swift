public import Router
public import Testing

/// A presenter controlled by a test, step by step (next event, answer, dismiss, fail, disconnect) or with a script of actions.
///
/// ```swift
/// let presenter = TestPresenter(coordinator)                       // step by step
/// try await presenter.press("Delete", on: try await presenter.nextPresentation())
///
/// let scripted = TestPresenter(coordinator, script: [.press("Delete"), .dismiss])
/// ```
///
/// It stays attached until ``disconnect()`` is called or the object is released. Answering throws ``RouterError`` if the answer
/// is rejected, for example because it is invalid or the presentation has ended. Waiting throws `CancellationError` when their
/// task is canceled or the broker shuts down.
public final class TestPresenter: Sendable {
  /// The name in the log.
  public let name: String
  let attachment: PresenterAttachment
  private let events: AsyncStream<Told>
  private let played: Mutex<Script>
  /// The number of calls of ``nextEvent()`` that are waiting, and the number of all calls so far.
  private let waiting = Mutex((now: 0, ever: 0))
  /// Tasks that read the attachment's events, which keeps the presenter attached, and refusals. Ended by `disconnect()` and
  /// `deinit`.
  private let reading = Mutex<[Task<Void, Never>]>([])

  private enum Told: Sendable {
    case event(PresenterEvent)
    case refused(Refusal)
    case ended(any Error)
  }

  /// Attaches to a surface. Without a script, presentations stay open for the test to answer. With a script, each showing takes
  /// a step, and fails if no step is left or the step fails.
  public convenience init(
    _ broker: some PresentationBroker, name: String = "test", on surface: String = "main", script: [Step] = []
  ) {
    self.init(
      broker.attach(presenter: name, to: surface), name: name, script: .steps(script),
      refusals: (broker as? any TestBroker)?.work.refusals.listen())
  }

  /// Attaches to a surface, and answers each showing with a closure.
  public convenience init(
    _ broker: some PresentationBroker, name: String = "test", on surface: String = "main",
    answering: @escaping @Sendable (Presentation) async throws -> Step
  ) {
    self.init(
      broker.attach(presenter: name, to: surface), name: name, script: .closure(answering),
      refusals: (broker as? any TestBroker)?.work.refusals.listen())
  }

  /// `isAsTold` preserves the broker's event order. By default, a withdrawal precedes the prompt that replaces it.
  init(
    _ attachment: PresenterAttachment, name: String, script: Script.Source = .steps([]), isAsTold: Bool = false,
    refusals: AsyncStream<Refusal>? = nil
  ) {
    let (events, continuation) = AsyncStream<Told>.makeStream()
    self.name = name
    self.attachment = attachment
    self.events = events
    played = Mutex(Script(script))
    let task = Task { [weak self, attachment] in
      var order = WithdrawalFirst()
      do {
        for try await told in attachment.events {
          for event in isAsTold ? [told] : order.take(told) {
            continuation.yield(.event(event))
            if case .present(let presentation, _) = event { await self?.play(presentation) }
          }
        }
      } catch {
        continuation.yield(.ended(error))
      }
      continuation.finish()
    }
    let listening = refusals.map { refusals in Task { for await refusal in refusals { continuation.yield(.refused(refusal)) } }
    }
    reading.withLock { $0 = [task] + (listening.map { [$0] } ?? []) }
  }

  deinit { disconnect() }

  /// The shown prompts, each once, in the order and the state of their first showing.
  public var shown: [Presentation] { played.withLock(\.shown) }

  /// The remaining steps of the script.
  public var unplayed: [Step] { played.withLock(\.unplayed) }

  /// Whether the test waits for an event.
  var isWaiting: Bool { waiting.withLock { $0.now > 0 } }
  /// The number of times that the test has waited for an event.
  var waits: Int { waiting.withLock(\.ever) }

  var refused: [(step: String, error: String)] { played.withLock(\.refused) }

  private func play(_ presentation: Presentation) async {
    let next = played.withLock { script in
      if !script.shown.contains(where: { $0.id == presentation.id }) { script.shown.append(presentation) }
      return script.next(for: presentation)
    }
    var name = "take the next step"
    do {
      guard let step = try await next(presentation) else { return }
      name = step.description
      try await carryOut(step, on: presentation)
    } catch is CancellationError where Task.isCancelled {
      // The presenter was released.
    } catch {
      let reason = String(describing: error)
      played.withLock { [name] script in script.refused.append((name, reason)) }
      // Tells the requester, which would otherwise wait for an answer that never comes.
      _ = try? await fail(presentation, detail: "the test's presenter could not \(name): \(reason)")
    }
  }

  // MARK: Step by step

  /// Waits for the next event; throws `CancellationError` at the end of the events, or the error that ended the attachment.
  package func nextEvent() async throws -> PresenterEvent {
    waiting.withLock { ($0.now, $0.ever) = ($0.now + 1, $0.ever + 1) }
    defer { waiting.withLock { $0.now -= 1 } }
    for await told in events {
      switch told {
      case .event(let event): return event
      case .refused(let refusal): if !refusal.isKnown { throw refusal }
      case .ended(let error): throw error
      }
    }
    throw CancellationError()
  }

  /// Waits for the next presentation to show; skips all other events.
  ///
  /// - Throws: The reason, if a ``TestRouter`` refused a request of another task, or a posted one.
  public func nextPresentation() async throws -> Presentation {
    while true {
      if case .present(let presentation, _) = try await nextEvent() { return presentation }
    }
  }

  /// Waits for the next presentation, which must be a sheet of this type: `let form = try await
  /// presenter.next(AddressForm.self)`, then `try await form.answer(address)`. Any other presentation is recorded as an issue
  /// at the caller's line, and thrown. Skips a flow's answered sheet that returns until the next screen is shown.
  public func next<S: Sheet>(
    _ type: S.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ShownSheet<S> {
    while true {
      let presentation = try await nextPresentation()
      let sheet = try? presentation.request.payload?.decode(type)
      if let sheet, sheet.sheetName == presentation.request.sheet {
        return ShownSheet(presentation: presentation, sheet: sheet, presenter: self)
      }
      if played.withLock({ $0.isEcho(presentation) }) { continue }
      let problem = "\(presentation.request.designation) is not a \(type)"
      Issue.record("\(problem)", sourceLocation: sourceLocation)
      throw RouterError(.invalid, problem)
    }
  }

  /// Waits for the next withdrawal; skips all other events.
  public func nextWithdrawal() async throws -> (id: PresentationID, reason: Presentation.Withdrawal) {
    while true {
      if case .withdraw(let id, _, let reason) = try await nextEvent() { return (id, reason) }
    }
  }

  /// Presses the button with a label, optionally with a comment.
  ///
  /// - Parameter period: How long the answer is remembered for equal acts; `nil` to not remember it. Only a daemon remembers
  ///   answers; a ``TestRouter`` refuses the answer.
  /// - Throws: ``RouterError`` if not exactly one button has the label, or if the answer is refused.
  @discardableResult
  public func press(
    _ label: String, on presentation: Presentation, comment: String? = nil,
    remember period: PresentationRequest.Remember.Period? = nil
  ) async throws -> Presentation {
    let buttons = presentation.request.buttons
    let wanted = buttons.filter { $0.label == label }
    guard let button = wanted.first, wanted.count == 1 else {
      let labels = buttons.map { "\"\($0.label)\"" }.joined(separator: ", ")
      throw RouterError(.invalid, "cannot press \"\(label)\": the buttons are \(labels.isEmpty ? "none" : labels)")
    }
    return try await press(id: button.id, on: presentation, comment: comment, remember: period)
  }

  /// Presses the button with an id, such as `b1`, like ``press(_:on:comment:remember:)``.
  @discardableResult
  public func press(
    id: String, on presentation: Presentation, comment: String? = nil,
    remember period: PresentationRequest.Remember.Period? = nil
  ) async throws -> Presentation {
    var response = PresenterResponse.answer(.button(id), comment: comment)
    response.extra.remember = period.map { GrantChoice(for: $0) }
    return try await attachment.respond(presentation.id, presentation.generation, response)
  }

  /// Answers with a value.
  @discardableResult
  public func answer(_ value: JSONValue, on presentation: Presentation) async throws -> Presentation {
    if presentation.request.flow { played.withLock { $0.answered = presentation } }
    return try await attachment.respond(presentation.id, presentation.generation, .answer(.value(value)))
  }

  /// Dismisses the presentation.
  @discardableResult
  public func dismiss(_ presentation: Presentation, comment: String? = nil) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .dismiss(comment: comment))
  }

  /// Shows the presentation again later, from 10 seconds to 24 hours from now.
  @discardableResult
  public func snooze(_ presentation: Presentation, for duration: Duration) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .snooze(for: duration))
  }

  /// Reports that the presentation cannot be shown.
  @discardableResult
  public func fail(_ presentation: Presentation, detail: String) async throws -> Presentation {
    try await attachment.fail(presentation.id, presentation.generation, detail)
  }

  /// Detaches abruptly, like a presenter whose process was killed.
  public func disconnect() {
    for task in reading.withLock(\.self) { task.cancel() }
  }
}
