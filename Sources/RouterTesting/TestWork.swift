import Router

/// The requests and presenters of a test.
public final class TestWork: Sendable {
  private struct Noted {
    var asked: [(request: PresentationRequest, handle: PresentationHandle)] = []
    var presenters: [TestPresenter] = []
    var answers = 0
  }

  let broker: any PresentationBroker
  let refusals = Broadcast<Refusal>()
  private let noted = Mutex(Noted())

  init(of broker: any PresentationBroker) { self.broker = broker }

  func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    let handle = broker.submit(request, onDismiss: onDismiss)
    noted.withLock { $0.asked.append((request, handle)) }
    let task = withUnsafeCurrentTask { $0?.hashValue }
    // Ends when the request is accepted or refused.
    Task { [refusals] in
      do {
        _ = try await handle.accepted()
      } catch {
        refusals.send(Refusal(request: request, error: error, handle: handle, task: task))
      }
    }
    return handle
  }

  func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    let attachment = broker.attach(presenter: name, to: surface)
    return PresenterAttachment(
      events: attachment.events,
      respond: { id, generation, response in
        self.noted.withLock { $0.answers += 1 }
        return try await attachment.respond(id, generation, response)
      },
      fail: { id, generation, detail in
        self.noted.withLock { $0.answers += 1 }
        return try await attachment.fail(id, generation, detail)
      })
  }

  func noted(_ presenter: TestPresenter) -> TestPresenter {
    noted.withLock { $0.presenters.append(presenter) }
    return presenter
  }

  var presenters: [TestPresenter] { noted.withLock(\.presenters) }

  /// A number that grows with each request, each answer and each wait of a presenter.
  var activity: Int {
    noted.withLock { $0.asked.count + $0.answers + $0.presenters.reduce(0) { $0 + $1.waits } }
  }

  func disconnect() {
    for presenter in presenters { presenter.disconnect() }
  }

  /// Returns the unfinished work.
  func unfinished() async throws -> [UnfinishedWork.Item] {
    let noted = noted.withLock { $0 }
    var (accepted, refused): ([(Presentation, PresentationHandle)], [UnfinishedWork.Item]) = ([], [])
    for (request, handle) in noted.asked {
      do {
        accepted.append((try await handle.accepted(), handle))
      } catch {
        guard let error = error as? RouterError, handle.isAnswerForgone else { continue }
        refused.append(.refused(request, error.message))
      }
    }
    let open = try await broker.presentations(surface: nil)
    var items = open.map(UnfinishedWork.Item.open)
    let ids = Set(open.map(\.id))
    for (presentation, handle) in accepted where !ids.contains(presentation.id) {
      // A client receives the end later than the presenter that caused it.
      await handle.ended()
      if handle.hasUnreadAnswer { items.append(.unread(presentation)) }
    }
    items += refused + failedSteps
    for presenter in noted.presenters where !presenter.unplayed.isEmpty {
      items.append(.unplayed(presenter: presenter.name, presenter.unplayed))
    }
    return items
  }

  /// The steps of scripts that failed.
  var failedSteps: [UnfinishedWork.Item] {
    presenters.flatMap { presenter in
      presenter.refused.map { .failedStep(presenter: presenter.name, $0.step, $0.error) }
    }
  }
}
