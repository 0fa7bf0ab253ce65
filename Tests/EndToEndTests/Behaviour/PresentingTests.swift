import Router
import RouterTesting
import Testing

/// Presenters: several at once, lost ones, and which answers count.
@Suite(.timeLimit(.minutes(20)))
struct PresentingTests {
  @Test(arguments: Place.allCases)
  func `shows a prompt again after a presenter vanishes, and refuses stale answers`(place: Place) async throws {
    try await place.run { house in
      let first = TestPresenter(house.broker)
      let handle = house.broker.submit(.alert("?"))
      let before = try await first.nextPresentation()
      first.vanish()
      while try await house.open().first?.state != .queued { await Task.yield() }
      let second = TestPresenter(house.broker)
      let shown = try await second.nextPresentation()
      #expect((shown.id, shown.generation) == (before.id, before.generation + 1))
      let stale = await #expect(throws: RouterError.self) { try await second.press("no", on: before) }
      #expect(stale?.code == .staleGeneration)
      try await second.press("yes", on: shown)
      #expect(try await handle.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `shows the same prompt on all presenters, and takes the first answer`(place: Place) async throws {
    try await place.run { house in
      let (one, other) = (TestPresenter(house.broker, name: "one"), TestPresenter(house.broker, name: "other"))
      let handle = house.broker.submit(.alert("?"))
      let (shown, same) = (try await one.nextPresentation(), try await other.nextPresentation())
      #expect((shown.id, shown.generation) == (same.id, same.generation))
      try await one.press("yes", on: shown)
      let late = await #expect(throws: RouterError.self) { try await other.press("no", on: same) }
      #expect(late?.code == .resolved)
      #expect(late?.outcome == .answered(.button("yes")))
      #expect(try await other.nextWithdrawal() == (shown.id, .answered))
      #expect(try await handle.outcome() == .answered(.button("yes")))
      // Both presenters are one process to the daemon, which cannot tell which of them answered.
      let presenter = try await house.reader.presentation(shown.id)?.resolvedBy?.presenter
      #expect(presenter == "one" || (place == .daemon && presenter == "other"))
    }
  }

  @Test(arguments: Place.allCases)
  func `keeps an answer until someone waits for it`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let handle = house.broker.submit(.alert("?"))
      try await presenter.press("yes", on: try await presenter.nextPresentation())
      // Each later waiter gets it.
      async let one = handle.outcome()
      async let other = handle.outcome()
      #expect(try await [one, other] == [.answered(.button("yes")), .answered(.button("yes"))])
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses invalid and second answers`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let handle = house.broker.submit(.alert("?"))
      let shown = try await presenter.nextPresentation()
      let wrong = await #expect(throws: RouterError.self) { try await presenter.press("maybe", on: shown) }
      #expect(wrong?.code == .impossible)
      try await presenter.press("yes", on: shown)
      let second = await #expect(throws: RouterError.self) { try await presenter.dismiss(shown) }
      #expect(second?.outcome == .answered(.button("yes")))
      #expect(try await handle.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `covers a parent with its child, and shows the parent again afterwards`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let form = house.broker.submit(PresentationRequest(kind: .sheet, sheet: "form"))
      let parent = try await presenter.nextPresentation()
      async let saved = ShowAlertAction().outcome(
        of: AlertState("Save?") { ButtonState("Save", action: true) }, options: PresentationOptions(over: parent.id))
      #expect(try await presenter.nextWithdrawal() == (parent.id, .covered))
      let child = try await presenter.nextPresentation()
      let covered = await #expect(throws: RouterError.self) { try await presenter.answer(1, on: parent) }
      #expect(covered?.code == .covered)
      // Another request does not come between them.
      let other = house.broker.submit(.alert("other"))
      try await presenter.choose("Save", on: child)
      #expect(await saved == .answered(true))
      let again = try await presenter.nextPresentation()
      #expect((again.id, again.generation) == (parent.id, parent.generation + 1))
      try await presenter.answer(2, on: again)
      #expect(try await form.outcome() == .answered(.value(2)))
      try await presenter.press("no", on: try await presenter.nextPresentation())
      #expect(try await other.outcome() == .answered(.button("no")))
    }
  }

  /// A presenter that notes when it starts, and waits until it is canceled.
  private struct WaitingPresenter: Presenter {
    let name = "waiting"
    let notes: Notes

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      notes.note("shows \(presentation.request.heading)")
      await Gate().wait()
      notes.note("cancelled \(presentation.request.heading)")
      return .dismiss
    }
  }

  @Test(arguments: Place.allCases)
  func `cancels the presenter's task on withdrawal, and ignores what it returns`(place: Place) async throws {
    try await place.run { house async throws in
      let notes = Notes()
      let presenting = Task { try await house.broker.run(WaitingPresenter(notes: notes)) }
      for title in ["one", "two"] {
        let handle = house.broker.submit(.alert(title))
        #expect(await notes.next() == ["shows \(title)"])
        handle.cancel()
        #expect(try await handle.outcome() == .cancelled(.requester))
        #expect(await notes.next() == ["cancelled \(title)"])
      }
      presenting.cancel()
      _ = await presenting.result
    }
  }

  /// A presenter that dismisses its own prompt from a child task.
  private struct ClosingPresenter: Presenter {
    let name = "closing"

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      async let child: Void = EnvironmentValues.current.dismiss()
      await child
      await Gate().wait()
      return .answer(.button("yes"))
    }
  }

  @Test(arguments: Place.allCases)
  func `dismisses the prompt when its presenter calls dismiss`(place: Place) async throws {
    try await place.run { house async throws in
      let presenting = Task { try await house.broker.run(ClosingPresenter()) }
      for title in ["one", "two"] {
        #expect(try await house.broker.submit(.alert(title)).outcome() == .dismissed)
      }
      presenting.cancel()
      _ = await presenting.result
    }
  }
}
