extension PresentationBroker {
  /// Runs a presenter on a surface. Returns when the task is canceled or the broker shuts down.
  ///
  /// Calls ``Presenter/present(_:waiting:)`` for one presentation at a time, and for requests by its own code, which are
  /// stacked on the presentation. When a broker that reconnects automatically, such as `RouterClient`, loses its connection,
  /// the prompt is withdrawn. An answer in transit is either accepted once, or refused and the presentation shown again.
  ///
  /// - Throws: ``RouterError`` if the broker cannot be reached, or is already shutting down.
  public func run(_ presenter: some Presenter, on surface: String = "main") async throws {
    try await run(presenter, over: attach(presenter: presenter.name, to: surface))
  }

  /// Runs a presenter over its attachment, like ``run(_:on:)``.
  package func run(_ presenter: some Presenter, over attachment: PresenterAttachment) async throws {
    var showing: Showing?
    // Showings covered by requests of their own code, which waits for them; the lowest first.
    var covered: [Showing] = []
    // The presentation with an answer in transit when the connection was lost, so that its result is unknown.
    var unclear: Presentation?
    var order = WithdrawalFirst()
    let result: Result<Void, any Error>
    do {
      for try await told in attachment.events {
        for event in order.take(told) {
          switch event {
          case .present(let presentation, let waiting):
            await showing?.finish()
            await showing?.takeDown()
            while let last = covered.last, last.id != presentation.id, last.id != presentation.request.over {
              await covered.removeLast().takeDown()
            }
            if let answered = unclear, answered.id == presentation.id {
              await presenter.answerRefused(.answerLost, for: answered)
            }
            unclear = nil
            if let last = covered.last, last.id == presentation.id {
              covered.removeLast()
              showing = last.putUp(presentation) ? last : nil
            } else {
              showing = nil
            }
            if showing == nil {
              let new = Showing(presentation, waiting: waiting)
              new.start { await show(new, with: presenter, over: attachment) }
              showing = new
            }
          case .withdraw(let id, let generation, let reason):
            guard let current = showing, current.id == id, current.presentation.generation == generation else { continue }
            showing = nil
            if reason == .covered, current.hasAsked {
              covered.append(current)
              continue
            }
            // A disconnected broker does not reply.
            if reason != .disconnected { await current.finish() }
            await presenter.willWithdraw(current.presentation, because: reason)
            await current.takeDown()
            if reason == .disconnected, current.isUnderWay { unclear = current.presentation }
          case .progress(let id, let fraction, let label):
            guard let current = showing, current.id == id else { continue }
            await presenter.progressChanged(to: fraction, label: label, of: current.presentation)
          case .queue(let waiting):
            // The showing's task may not have begun.
            showing?.waiting = waiting
            await presenter.waitingCountChanged(to: waiting)
          }
        }
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await showing?.takeDown()
    for covered in covered.reversed() { await covered.takeDown() }
    try result.get()
  }

  /// Shows one presentation until an answer or dismissal is accepted, or until it is withdrawn.
  private func show(
    _ showing: Showing, with presenter: some Presenter, over attachment: PresenterAttachment
  ) async {
    let id = showing.id
    let dismissal = Dismissal {
      try await attachment.respond(id, showing.presentation.generation, .dismiss).outcome ?? .dismissed
    }
    let enclosing = EnclosingPresentation { try await dismissal.end() }
    let inside = StackingBroker(
      broker: self, surface: showing.presentation.request.surface, parent: { id }, stacked: showing.asked)
    while !Task.isCancelled {
      let presentation = showing.presentation
      let response: PresenterResponse
      do {
        response = try await withEnvironment({ $0.enter(enclosing, asking: inside) }) {
          try await presenter.present(presentation, waiting: showing.waiting)
        }
        guard !Task.isCancelled, await !dismissal.hasEnded() else { return }
      } catch {
        guard !Task.isCancelled, await !dismissal.hasEnded() else { return }
        try? await showing.tell { try await attachment.fail(id, $0, String(describing: error)) }
        return
      }
      do {
        return try await showing.tell { try await attachment.respond(id, $0, response) }
      } catch let error as RouterError {
        await presenter.answerRefused(error, for: presentation)
        guard error.leavesPresentationShown, showing.mayRespond else { return }
      } catch {
        // The task was canceled before the broker replied.
        return
      }
    }
  }
}

/// A dismissal by the presenter's own code, through `dismiss`; at most one at a time.
private final class Dismissal: Sendable {
  private let task: Mutex<Task<PresentationOutcome, any Error>?> = Mutex(nil)
  private let dismiss: @Sendable () async throws -> PresentationOutcome

  init(_ dismiss: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.dismiss = dismiss
  }

  func end() async throws -> PresentationOutcome {
    let task = task.withLock { task in
      // Ends with the broker's reply. It is independent of the presenter's task, which may be canceled before that.
      let ending = task ?? Task { [dismiss] in try await dismiss() }
      task = ending
      return ending
    }
    do {
      return try await task.value
    } catch {
      self.task.withLock { $0 = nil }
      throw error
    }
  }

  /// Returns whether the presenter dismissed it, after the broker's reply to a pending dismissal.
  func hasEnded() async -> Bool {
    guard let task = task.withLock({ $0 }) else { return false }
    return await (try? task.value) != nil
  }
}

extension RouterError {
  /// The connection was lost before the answer was recorded; the presentation is shown again.
  fileprivate static let answerLost = RouterError(
    .staleGeneration, "the answer was not recorded: the daemon stopped first. Answer again.")

  /// Whether the presentation is still shown, so that the person can try again.
  fileprivate var leavesPresentationShown: Bool {
    switch code {
    case .invalid, .impossible, .logUnavailable: true
    default: false
    }
  }
}
