public import Router

/// A presenter that a test plays step by step: take the next event, answer, dismiss, fail, vanish.
///
/// It is attached from its making until ``vanish()`` or the end of its life.
public final class TestPresenter: Sendable {
  private let attachment: PresenterAttachment
  private let events: AsyncStream<Result<PresenterEvent, any Error>>
  /// Reads the attachment's events, which keeps the presenter attached; ended by `vanish()` and with this object.
  private let reading: Task<Void, Never>

  /// Attaches to a surface.
  public init(_ broker: some PresentationBroker, name: String = "test", surface: String = "main") {
    let attachment = broker.attach(presenter: name, to: surface)
    let (events, continuation) = AsyncStream<Result<PresenterEvent, any Error>>.makeStream()
    self.attachment = attachment
    self.events = events
    reading = Task {
      do {
        for try await event in attachment.events { continuation.yield(.success(event)) }
      } catch {
        continuation.yield(.failure(error))
      }
      continuation.finish()
    }
  }

  deinit {
    reading.cancel()
  }

  /// The next event; waits for it.
  ///
  /// - Throws: `CancellationError` when there will be none, and what ended the attachment.
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

  /// Presses a button of what was shown.
  @discardableResult
  public func press(_ button: String, on presentation: Presentation) async throws -> Presentation {
    try await attachment.respond(presentation.id, presentation.generation, .answer(.button(button)))
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
    reading.cancel()
  }
}
