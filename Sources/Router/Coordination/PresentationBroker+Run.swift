extension PresentationBroker {
  /// Runs a presenter on a surface until the task is canceled or the broker shuts down.
  ///
  /// Calls ``Presenter/present(_:waiting:)`` for one presentation at a time. If a broker that reconnects by itself,
  /// such as `RouterClient`, loses its connection, the shown presentation is withdrawn. An answer that was being sent
  /// is either counted once, or refused and the presentation is shown again.
  ///
  /// - Throws: ``RouterError`` when the broker cannot be reached or shuts down.
  public func run(_ presenter: some Presenter, on surface: String = "main") async throws {
    try await run(presenter, over: attach(presenter: presenter.name, to: surface))
  }

  /// Runs a presenter over its attachment, as ``run(_:on:)`` does.
  package func run(_ presenter: some Presenter, over attachment: PresenterAttachment) async throws {
    var showing: Showing?
    // The presentation that was being answered when the connection was lost; whether the answer counted is unknown.
    var unclear: Presentation?
    var order = WithdrawalFirst()
    do {
      for try await told in attachment.events {
        for event in order.take(told) {
          switch event {
          case .present(let presentation, let waiting):
            await showing?.settle()
            await showing?.takeDown()
            if let answered = unclear, answered.id == presentation.id {
              await presenter.answerRefused(.answerLost, for: answered)
            }
            unclear = nil
            let response = ResponseUnderWay()
            showing = Showing(presentation, response) {
              await show(presentation, waiting: waiting, with: presenter, over: attachment, response)
            }
          case .withdraw(let id, let generation, let reason):
            guard let current = showing, current.presentation.id == id, current.presentation.generation == generation else {
              continue
            }
            // A lost broker does not reply.
            if reason != .disconnected { await current.settle() }
            await presenter.willWithdraw(current.presentation, because: reason)
            await current.takeDown()
            if reason == .disconnected, current.response.isUnderWay { unclear = current.presentation }
            showing = nil
          case .queue(let waiting):
            await presenter.waitingCountChanged(to: waiting)
          }
        }
      }
    } catch {
      await showing?.takeDown()
      throw error
    }
    await showing?.takeDown()
  }

  /// Shows one presentation until an answer or dismissal counts, or until it is withdrawn.
  private func show(
    _ presentation: Presentation, waiting: Int, with presenter: some Presenter, over attachment: PresenterAttachment,
    _ underWay: ResponseUnderWay
  ) async {
    let (id, generation) = (presentation.id, presentation.generation)
    let dismissal = Dismissal {
      try await attachment.respond(id, generation, .dismiss).outcome ?? .dismissed
    }
    let enclosing = EnclosingPresentation { try await dismissal.end() }
    while !Task.isCancelled {
      do {
        let response = try await withEnvironment(\.enclosingPresentation, enclosing) {
          try await presenter.present(presentation, waiting: waiting)
        }
        guard !Task.isCancelled, await !dismissal.hasEnded() else { return }
        guard underWay.begin() else { return }
        _ = try await attachment.respond(id, generation, response)
        underWay.end()
        return
      } catch let error as RouterError {
        underWay.end()
        await presenter.answerRefused(error, for: presentation)
        guard error.leavesPresentationShown, !underWay.isOver else { return }
      } catch {
        guard !Task.isCancelled, await !dismissal.hasEnded() else { return }
        _ = try? await attachment.fail(id, generation, String(describing: error))
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

  /// Whether the presenter dismissed it. Waits for the broker's reply to a pending dismissal.
  func hasEnded() async -> Bool {
    guard let task = task.withLock({ $0 }) else { return false }
    return await (try? task.value) != nil
  }
}

private struct Showing {
  let presentation: Presentation
  let response: ResponseUnderWay
  /// Canceled by `takeDown`, at the latest when the presenter's run ends.
  let task: Task<Void, Never>

  init(_ presentation: Presentation, _ response: ResponseUnderWay, show: sending @escaping () async -> Void) {
    self.presentation = presentation
    self.response = response
    task = Task { await show() }
  }

  /// Waits for the broker's reply to a pending answer. A broker may withdraw an answered prompt before the answer is
  /// recorded.
  func settle() async {
    guard response.endsWhileUnderWay() else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      // The presenter is stopping and does not wait for a silent broker.
      task.cancel()
    }
  }

  func takeDown() async {
    task.cancel()
    await task.value
  }
}

/// Tracks whether a response is being sent, and whether it is still wanted.
private final class ResponseUnderWay: Sendable {
  private let state = Mutex((isUnderWay: false, isOver: false))

  var isUnderWay: Bool { state.withLock(\.isUnderWay) }
  var isOver: Bool { state.withLock(\.isOver) }

  func begin() -> Bool {
    state.withLock { state in
      state.isUnderWay = !state.isOver
      return state.isUnderWay
    }
  }

  func end() { state.withLock { $0.isUnderWay = false } }

  /// Refuses further responses, and returns whether one is being sent.
  func endsWhileUnderWay() -> Bool {
    state.withLock { state in
      state.isOver = true
      return state.isUnderWay
    }
  }
}

extension RouterError {
  /// The answer was lost with the broker's connection and is not recorded; the presentation is shown again.
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
