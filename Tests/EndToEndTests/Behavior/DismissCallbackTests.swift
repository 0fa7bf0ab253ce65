import Router
import RouterTesting
import Testing

/// The `onDismiss` callback of a presentation.
@Suite(.timeLimit(.minutes(10)))
struct DismissCallbackTests {
  private func contact(_ shown: Presentation) throws -> String? {
    guard case .contact(let name)? = try shown.request.payload?.decode(AppSheet.self) else { return nil }
    return name
  }

  @Test(arguments: Place.allCases)
  func `runs the callback exactly once for any ending`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let notes = Notes()
      func show(_ name: String, _ options: PresentationOptions.Update = { _ in }) {
        ShowAction().post(AppSheet.contact(name), options: options, onDismiss: { notes.note(name) })
      }
      show("closed")
      try await presenter.dismiss(try await presenter.nextPresentation())
      #expect(await notes.next() == ["closed"])
      show("expired") { $0.shownTimeout = .milliseconds(1) }
      #expect(await notes.next() == ["expired"])
      show("superseded")
      _ = try await presenter.nextPresentation()
      show("failed") { $0.conflictPolicy = .cancelPrevious }
      #expect(await notes.next() == ["superseded"])
      show("busy") { $0.conflictPolicy = .cancelNew }
      #expect(await notes.next() == ["busy"])
      var shown = try await presenter.nextPresentation()
      while try contact(shown) != "failed" { shown = try await presenter.nextPresentation() }
      try await presenter.fail(shown, detail: "cannot open the display")
      #expect(await notes.next() == ["failed"])
      show("taken back")
      try await host.withdraw(try await presenter.nextPresentation().id)
      #expect(await notes.next() == ["taken back"])
      let handle = host.broker.submit(.alert("?")) { notes.note("cancelled") }
      handle.cancel()
      _ = try await handle.outcome()
      // Callbacks of one broker run in order: once this one has run, none of the earlier ones is pending.
      host.broker.submit(.alert("last")) { notes.note("last") }.cancel()
      #expect(await notes.next(2) == ["cancelled", "last"])
      #expect(notes.all.count == 8)
    }
  }

  @Test(arguments: Place.allCases)
  func `runs each request's own callback, in the order of ending`(place: Place) async throws {
    try await place.run { host async throws in
      let notes = Notes()
      let names = (0..<20).map { "\($0)" }
      let handles = names.map { name in host.broker.submit(.alert(name)) { notes.note(name) } }
      // The last request ends first.
      for handle in handles.reversed() {
        handle.cancel()
        #expect(try await handle.outcome() == .cancelled(.requester))
      }
      #expect(await notes.next(20) == names.reversed())
      #expect(notes.all.count == 20)
    }
  }

  @Test(arguments: Place.allCases)
  func `queues a second sheet behind the first, and keeps their callbacks apart`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let notes = Notes()
      let showSheet = ShowAction()
      showSheet.post(AppSheet.settings, onDismiss: { notes.note("settings") })
      showSheet.post(AppSheet.contact("John Doe"), onDismiss: { notes.note("contact") })
      for name in ["settings", "contact"] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.sheet == name)
        try await presenter.dismiss(shown)
        #expect(await notes.next() == [name])
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `delivers the answer to its waiter before running the callback`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      for _ in 0..<20 {
        let notes = Notes()
        let handle = host.broker.submit(.alert("?")) { await MainActor.run { notes.note("callback") } }
        let waiting = Task { @MainActor in
          _ = try await handle.outcome()
          notes.note("answer")
        }
        await handle.awaited()
        let shown = try await presenter.nextPresentation()
        try await presenter.press(id: "yes", on: shown)
        #expect(await notes.next(2) == ["answer", "callback"])
        try await waiting.value
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `shows the next sheet from a callback, in the requester's environment`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let notes = Notes()
      @Environment(\.showSheet) var showSheet
      showSheet.post(AppSheet.settings) {
        EnvironmentValues.current.showSheet.post(AppSheet.contact("next")) { notes.note("next") }
      }
      for name in ["settings", "contact"] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.sheet == name)
        try await presenter.dismiss(shown)
      }
      #expect(await notes.next() == ["next"])
    }
  }

  @Test(arguments: Place.allCases)
  func `does not run the callback of a refused request`(place: Place) async throws {
    try await place.run(perSurface: 1) { host async throws in
      let notes = Notes()
      let first = host.broker.submit(.alert("first")) { notes.note("first") }
      let refused = host.broker.submit(.alert("refused")) { notes.note("refused") }
      #expect(await #expect(throws: RouterError.self) { try await refused.accepted() }?.code == .full)
      first.cancel()
      #expect(await notes.next() == ["first"])
      host.broker.submit(.alert("last")) { notes.note("last") }.cancel()
      #expect(await notes.next() == ["last"])
    }
  }

  @Test(arguments: Place.allCases)
  func `runs the remaining callbacks on a clean stop`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let notes = Notes()
      for name in ["one", "two"] {
        _ = try await host.broker.submit(.alert(name)) { notes.note(name) }.accepted()
      }
      try await host.stop()
      #expect(await Set(notes.next(2)) == ["one", "two"])
    }
  }
}
