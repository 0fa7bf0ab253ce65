extension PresentationBroker {
  /// Runs a presenter on a surface until the task is canceled or the broker goes away.
  ///
  /// ``Presenter/present(_:waiting:)`` is called for one presentation at a time. While a broker that reconnects by itself,
  /// such as `RouterClient`, is lost, what it shows is withdrawn. An answer that was on its way counts once, or is refused and
  /// the presentation shown again.
  ///
  /// - Throws: ``RouterError`` when the broker cannot be reached or shuts down.
  public func run(_ presenter: some Presenter, on surface: String = "main") async throws {
    let attachment = attach(presenter: presenter.name, to: surface)
    var showing: Showing?
    // What was answered when the broker was lost, and nobody has said whether that counts.
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
            // A lost broker has no word on it.
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

  /// Shows one presentation until something that the person did counts, or until it is withdrawn.
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

/// The end that a presenter's own code puts to what it shows, with `dismiss`; one at a time.
private final class Dismissal: Sendable {
  private let task: Mutex<Task<PresentationOutcome, any Error>?> = Mutex(nil)
  private let dismiss: @Sendable () async throws -> PresentationOutcome

  init(_ dismiss: @escaping @Sendable () async throws -> PresentationOutcome) {
    self.dismiss = dismiss
  }

  func end() async throws -> PresentationOutcome {
    let task = task.withLock { task in
      // Ends with the broker's reply; not with the presenter's own task, which is cancelled when it has what it wants.
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

  /// Whether it was ended so. Waits for the broker's reply where that is on its way.
  func hasEnded() async -> Bool {
    guard let task = task.withLock({ $0 }) else { return false }
    return await (try? task.value) != nil
  }
}

private struct Showing {
  let presentation: Presentation
  let response: ResponseUnderWay
  /// Ended by `takeDown`, at the latest when the presenter's run ends.
  let task: Task<Void, Never>

  init(_ presentation: Presentation, _ response: ResponseUnderWay, show: sending @escaping () async -> Void) {
    self.presentation = presentation
    self.response = response
    task = Task { await show() }
  }

  /// Waits for the broker's reply to an answer on its way: a broker may take down what was answered before that is on record.
  func settle() async {
    guard response.endsWhileUnderWay() else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      // The presenter goes away: it does not wait for a broker that says nothing.
      task.cancel()
    }
  }

  func takeDown() async {
    task.cancel()
    await task.value
  }
}

/// Whether what a person did is on its way to the broker, and whether it is still wanted.
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

  /// Refuses further responses, and returns whether one is on its way.
  func endsWhileUnderWay() -> Bool {
    state.withLock { state in
      state.isOver = true
      return state.isUnderWay
    }
  }
}

extension RouterError {
  /// What was answered when the broker was lost is not on record: it is shown again.
  fileprivate static let answerLost = RouterError(
    .staleGeneration, "cannot count the answer: the daemon went away before it was on record")

  /// Whether what was answered is still before the person, who may try again.
  fileprivate var leavesPresentationShown: Bool {
    switch code {
    case .invalid, .impossible, .logUnavailable: true
    default: false
    }
  }
}
