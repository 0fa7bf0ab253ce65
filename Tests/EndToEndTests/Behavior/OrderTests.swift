import Router
import RouterTesting
import Testing

/// One presentation at a time, and their order.
@Suite(.timeLimit(.minutes(10)))
struct OrderTests {
  /// Presses a button on the next presentation and returns its title.
  private func nextTitle(_ presenter: TestPresenter, press button: String = "yes") async throws -> String? {
    let shown = try await presenter.nextPresentation()
    try await presenter.press(id: button, on: shown)
    return shown.request.title
  }

  private func request(
    _ title: String, _ priority: PresentationOptions.Priority, _ policy: PresentationOptions.ConflictPolicy = .enqueue
  )
    -> PresentationRequest
  {
    var request = PresentationRequest.alert(title)
    request.priority = priority
    request.conflictPolicy = policy
    return request
  }

  @Test(arguments: Place.allCases)
  func `keeps the order of fire-and-forget requests`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let (showSheet, showAlert) = (ShowAction(), ShowAction())
      let (showDialog, showCover) = (ShowAction(), ShowAction(as: .fullScreenCover))
      for _ in 0..<5 {
        showSheet.post(AppSheet.settings)
        showAlert.post(AlertState("Done."))
        showDialog.post(Screen.dialog)
        showCover.post(AppSheet.settings)
      }
      let kinds: [PresentationKind] = [.sheet, .alert, .confirmationDialog, .fullScreenCover]
      for index in 0..<20 {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.kind == kinds[index % 4])
        try await presenter.dismiss(shown)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `shows at most one presentation at a time on a surface`(place: Place) async throws {
    try await place.run { host in
      let watching = TestPresenter(host.broker, name: "watching") { _ in .leave }
      let answering = TestPresenter(host.broker, name: "answering") { .answer($0.request.payload ?? .null) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<30 {
          group.addTask { () async throws in
            let request = PresentationRequest(kind: .sheet, sheet: "number", payload: .integer(number))
            #expect(try await host.broker.submit(request).outcome() == .answered(.value(.integer(number))))
          }
        }
        try await group.waitForAll()
      }
      #expect(answering.shown.count == 30)
      // In the log, each is shown only after the previous one has ended.
      var shown: PresentationID?
      for event in try await host.events() {
        switch event.kind {
        case .presented:
          #expect(shown == nil)
          shown = event.presentation
        case .answered:
          #expect(shown == event.presentation)
          shown = nil
        default: break
        }
      }
      watching.disconnect()
    }
  }

  @Test(arguments: Place.allCases)
  func `shows higher priorities first, and first in, first out within one`(place: Place) async throws {
    try await place.run { host in
      let asked: [(String, PresentationOptions.Priority)] = [
        ("a", .normal), ("b", .low), ("c", .critical), ("d", .normal), ("e", .high), ("f", .low), ("g", .critical),
        ("h", .high),
      ]
      for (title, priority) in asked { _ = host.broker.submit(request(title, priority)) }
      _ = try await host.broker.submit(request("last", .low)).accepted()
      let presenter = TestPresenter(host.broker)
      for title in ["c", "g", "e", "h", "a", "d", "b", "f", "last"] {
        #expect(try await nextTitle(presenter) == title)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `does not replace the current prompt for a higher priority`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let low = host.broker.submit(request("low", .low))
      let shown = try await presenter.nextPresentation()
      let critical = host.broker.submit(request("critical", .critical))
      _ = try await critical.accepted()
      #expect(try await host.open().map(\.state) == [.presented, .queued])
      try await presenter.press(id: "yes", on: shown)
      #expect(try await low.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(presenter) == "critical")
    }
  }

  @Test(arguments: Place.allCases)
  func `replaces the current prompt only for cancelPrevious, at any priority`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let critical = host.broker.submit(request("critical", .critical))
      let first = try await presenter.nextPresentation()
      let waiting = host.broker.submit(request("waiting", .critical))
      let low = host.broker.submit(request("low", .low, .cancelPrevious))
      #expect(try await presenter.nextWithdrawal() == (first.id, .cancelled))
      #expect(try await critical.outcome() == .cancelled(.superseded))
      #expect(try await nextTitle(presenter) == "low")
      #expect(try await low.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(presenter) == "waiting")
      #expect(try await waiting.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `queues each surface separately`(place: Place) async throws {
    try await place.run { host async throws in
      let kitchen = TestPresenter(host.broker, on: "kitchen")
      let main = TestPresenter(host.broker)
      _ = host.broker.submit(.alert("on main"))
      var other = PresentationRequest.alert("in the kitchen")
      other.surface = "kitchen"
      let handle = host.broker.submit(other)
      #expect(try await nextTitle(kitchen) == "in the kitchen")
      #expect(try await handle.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(main) == "on main")
    }
  }

  @Test(arguments: Place.allCases)
  func `refuses requests to a full queue without losing any`(place: Place) async throws {
    try await place.run(perSurface: 3) { host in
      let handles = ["a", "b", "c"].map { host.broker.submit(.alert($0)) }
      for handle in handles { _ = try await handle.accepted() }
      let error = await #expect(throws: RouterError.self) { try await ShowAction()(AlertState("d")) }
      #expect(error?.code == .full)
      #expect(error?.retryAfter != nil)
      let presenter = TestPresenter(host.broker)
      for title in ["a", "b", "c"] { #expect(try await nextTitle(presenter) == title) }
      for handle in handles { #expect(try await handle.outcome() == .answered(.button("yes"))) }
    }
  }

  @Test(arguments: Place.allCases)
  func `shows the same sheet repeatedly and concurrently`(place: Place) async throws {
    try await place.run { host async throws in
      let presenter = TestPresenter(host.broker) { _ in .answer("red") }
      for _ in 0..<10 { #expect(try await ShowAction()(PickColor()) == "red") }
      async let one = ShowAction()(PickColor())
      async let other = ShowAction()(PickColor())
      #expect(try await [one, other] == ["red", "red"])
      #expect(presenter.shown.count == 12)
    }
  }

  @Test(arguments: Place.allCases)
  func `accepts requests made while a prompt closes`(place: Place) async throws {
    try await place.run { host async throws in
      let presenter = TestPresenter(host.broker) { $0.request.kind == .alert ? .press(id: "yes") : .dismiss }
      let count = 20
      let notes = Notes()
      @Sendable func ask(_ number: Int) {
        EnvironmentValues.current.showSheet.post(AppSheet.contact("\(number)")) {
          notes.note("\(number)")
          // Right when the previous presentation has ended.
          if number < count { ask(number + 1) }
        }
      }
      ask(1)
      for _ in 0..<count {
        #expect(try await host.broker.submit(.alert("meanwhile")).outcome() == .answered(.button("yes")))
      }
      #expect(await notes.next(count) == (1...count).map { "\($0)" })
      #expect(presenter.shown.count == 2 * count)
    }
  }
}
