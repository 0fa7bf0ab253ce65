import Router
import RouterTesting
import Testing

/// Presenters: several at once, lost ones, and which answers count.
@Suite(.timeLimit(.minutes(10)))
struct PresentingTests {
  @Test(arguments: Place.allCases)
  func `shows a prompt again after a presenter vanishes, and refuses stale answers`(place: Place) async throws {
    try await place.run { host in
      let first = TestPresenter(host.broker)
      let handle = host.broker.submit(.alert("?"))
      let before = try await first.nextPresentation()
      first.disconnect()
      try await host.withdrawn(before.id)
      let second = TestPresenter(host.broker)
      let shown = try await second.nextPresentation()
      #expect((shown.id, shown.generation) == (before.id, before.generation + 1))
      let stale = await #expect(throws: RouterError.self) { try await second.press(id: "no", on: before) }
      #expect(stale?.code == .staleGeneration)
      try await second.press(id: "yes", on: shown)
      #expect(try await handle.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `shows the same prompt on all presenters, and takes the first answer`(place: Place) async throws {
    try await place.run { host in
      let (one, other) = (TestPresenter(host.broker, name: "one"), TestPresenter(host.broker, name: "other"))
      let handle = host.broker.submit(.alert("?"))
      let (shown, same) = (try await one.nextPresentation(), try await other.nextPresentation())
      #expect((shown.id, shown.generation) == (same.id, same.generation))
      try await one.press(id: "yes", on: shown)
      let late = await #expect(throws: RouterError.self) { try await other.press(id: "no", on: same) }
      #expect(late?.code == .resolved)
      #expect(late?.outcome == .answered(.button("yes")))
      #expect(try await other.nextWithdrawal() == (shown.id, .answered))
      #expect(try await handle.outcome() == .answered(.button("yes")))
      // Both presenters are one process to the daemon, which cannot tell which of them answered.
      let presenter = try await host.reader.presentation(shown.id)?.resolvedBy?.presenter
      #expect(presenter == "one" || (place != .inProcess && presenter == "other"))
    }
  }

  @Test(arguments: Place.allCases)
  func `keeps an answer until someone waits for it`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let handle = host.broker.submit(.alert("?"))
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      // Each later waiter gets it.
      async let one = handle.outcome()
      async let other = handle.outcome()
      #expect(try await [one, other] == [.answered(.button("yes")), .answered(.button("yes"))])
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses invalid and second answers`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let handle = host.broker.submit(.alert("?"))
      let shown = try await presenter.nextPresentation()
      let wrong = await #expect(throws: RouterError.self) { try await presenter.press(id: "maybe", on: shown) }
      #expect(wrong?.code == .impossible)
      try await presenter.press(id: "yes", on: shown)
      let second = await #expect(throws: RouterError.self) { try await presenter.dismiss(shown) }
      #expect(second?.outcome == .answered(.button("yes")))
      #expect(try await handle.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses to dismiss what needs an answer`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      var request = PresentationRequest.alert("?")
      request.dismissDisabled = true
      let answered = house.broker.submit(request)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.dismissDisabled)
      let refusal = await #expect(throws: RouterError.self) { try await presenter.dismiss(shown) }
      #expect(refusal?.code == .impossible)
      #expect(refusal?.message.contains("dismissDisabled") == true)
      try await presenter.press(id: "yes", on: shown)
      #expect(try await answered.outcome() == .answered(.button("yes")))

      let cancelled = house.broker.submit(request)
      _ = try await presenter.nextPresentation()
      cancelled.cancel()
      #expect(try await cancelled.outcome() == .cancelled(.requester))
      request.shownTimeout = .milliseconds(1)
      #expect(try await house.broker.submit(request).outcome() == .expired(.presented))
    }
  }

  private func nextProgress(_ presenter: TestPresenter) async throws -> (PresentationID, Double, String?) {
    while true {
      if case .progress(let id, let fraction, let label) = try await presenter.nextEvent() { return (id, fraction, label) }
    }
  }

  @Test(arguments: Place.allCases)
  func `shows an operation's progress on its sheet`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let (gate, open) = AsyncStream<Void>.makeStream()
      async let done: Void = ShowAction().during(AppSheet.settings) { progress in
        progress(0.4, "Copying")
        for await _ in gate { break }
      }
      let shown = try await presenter.nextPresentation()
      #expect(try await nextProgress(presenter) == (shown.id, 0.4, "Copying"))
      let late = TestPresenter(house.broker)
      #expect(try await late.nextPresentation().id == shown.id)
      #expect(try await nextProgress(late) == (shown.id, 0.4, "Copying"))
      let wrong = await #expect(throws: RouterError.self) {
        try await house.broker.report(progress: 2, label: nil, of: shown.id)
      }
      #expect(wrong?.field == "/fraction")
      let hostile = await #expect(throws: RouterError.self) {
        try await house.broker.report(progress: 0.5, label: "a\nb", of: shown.id)
      }
      #expect(hostile?.field == "/label")
      open.yield()
      try await done
      let over = await #expect(throws: RouterError.self) {
        try await house.broker.report(progress: 1, label: nil, of: shown.id)
      }
      #expect(over?.code == .resolved)

      let alert = house.broker.submit(.alert("?"))
      let id = try await alert.accepted().id
      let refused = await #expect(throws: RouterError.self) { try await house.broker.report(progress: 1, label: nil, of: id) }
      #expect(refused?.code == .impossible)
      alert.cancel()
      _ = try await alert.outcome()
    }
  }

  @Test(arguments: Place.allCases)
  func `covers a parent with its child, and shows the parent again afterwards`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let form = host.broker.submit(PresentationRequest(kind: .sheet, sheet: "form"))
      let parent = try await presenter.nextPresentation()
      async let saved = ShowAction().result(
        of: AlertState("Save?") { ButtonState("Save", action: true) }, options: { $0.over = parent.id })
      #expect(try await presenter.nextWithdrawal() == (parent.id, .covered))
      let child = try await presenter.nextPresentation()
      let covered = await #expect(throws: RouterError.self) { try await presenter.answer(1, on: parent) }
      #expect(covered?.code == .covered)
      // Another request does not come between them.
      let other = host.broker.submit(.alert("other"))
      try await presenter.press("Save", on: child)
      #expect(await saved == .success(true))
      let again = try await presenter.nextPresentation()
      #expect((again.id, again.generation) == (parent.id, parent.generation + 1))
      try await presenter.answer(2, on: again)
      #expect(try await form.outcome() == .answered(.value(2)))
      try await presenter.press(id: "no", on: try await presenter.nextPresentation())
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
    try await place.run { host async throws in
      let notes = Notes()
      let presenting = Task { try await host.broker.run(WaitingPresenter(notes: notes)) }
      for title in ["one", "two"] {
        let handle = host.broker.submit(.alert(title))
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
    try await place.run { host async throws in
      let presenting = Task { try await host.broker.run(ClosingPresenter()) }
      for title in ["one", "two"] {
        #expect(try await host.broker.submit(.alert(title)).outcome() == .dismissed)
      }
      presenting.cancel()
      _ = await presenting.result
    }
  }

  /// Asks before it answers a sheet, and presses the first button of anything else.
  private struct ConfirmingPresenter: Presenter {
    let name = "confirming"

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      if let button = presentation.request.buttons.first { return .answer(.button(button.id)) }
      let isSure = try await ShowAction()(AlertState("Sure?") { ButtonState("Yes", action: true) })
      return isSure ? .answer(.value("red")) : .dismiss
    }
  }

  @Test(arguments: Place.allCases)
  func `a presenter that asks on top of what it shows keeps its task, and its answer counts`(place: Place) async throws {
    try await place.run { host async throws in
      let presenting = Task { try await host.broker.run(ConfirmingPresenter()) }
      for _ in 0..<3 {
        let color = try await ShowAction()(PickColor())
        #expect(color == "red")
      }
      presenting.cancel()
      _ = await presenting.result
    }
  }

  @Test(arguments: Place.allCases)
  func `what an operation asks for is stacked on its sheet`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker) { $0.request.kind == .alert ? .press("Delete") : .leave }
      let choice = try await ShowAction().during(AppSheet.settings) { try await ShowAction()(Screen.deletion) }
      #expect(choice == .delete)
      #expect(presenter.shown.map(\.request.kind) == [.sheet, .alert])
    }
  }
}
