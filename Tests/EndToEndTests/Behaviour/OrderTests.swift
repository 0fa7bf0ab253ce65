import Router
import RouterTesting
import Testing

/// One at a time, and in which order.
@Suite(.timeLimit(.minutes(20)))
struct OrderTests {
  /// What a presenter is shown next, by title.
  private func nextTitle(_ presenter: TestPresenter, press button: String = "yes") async throws -> String? {
    let shown = try await presenter.nextPresentation()
    try await presenter.press(button, on: shown)
    return shown.request.title
  }

  private func request(_ title: String, _ priority: PresentationPriority, _ policy: ConflictPolicy = .enqueue)
    -> PresentationRequest
  {
    var request = PresentationRequest.alert(title)
    request.priority = priority
    request.conflictPolicy = policy
    return request
  }

  @Test(arguments: Place.allCases)
  func `two that do not wait keep their order`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let (showSheet, showAlert) = (ShowSheetAction(), ShowAlertAction())
      let (showDialog, showCover) = (ShowConfirmationDialogAction(), ShowFullScreenCoverAction())
      for _ in 0..<5 {
        showSheet(AppSheet.settings, onDismiss: nil)
        showAlert(AlertState("Done."), onDismiss: nil)
        showDialog(Screen.dialog, onDismiss: nil)
        showCover(AppSheet.settings, onDismiss: nil)
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
  func `at most one is shown at a time, whoever asks`(place: Place) async throws {
    try await place.run { house in
      let watching = TestPresenter(house.broker, name: "watching") { _ in .leave }
      let answering = TestPresenter(house.broker, name: "answering") { .answer($0.request.payload ?? .null) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<30 {
          group.addTask { () async throws in
            let request = PresentationRequest(kind: .sheet, sheet: "number", payload: .integer(number))
            #expect(try await house.broker.submit(request).outcome() == .answered(.value(.integer(number))))
          }
        }
        try await group.waitForAll()
      }
      #expect(answering.shown.count == 30)
      // On record, each is put up only when the one before has ended.
      var shown: PresentationID?
      for event in try await house.reader.events(after: 0) {
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
      watching.vanish()
    }
  }

  @Test(arguments: Place.allCases)
  func `first in, first out within a priority, and the higher priority first`(place: Place) async throws {
    try await place.run { house in
      let asked: [(String, PresentationPriority)] = [
        ("a", .normal), ("b", .low), ("c", .critical), ("d", .normal), ("e", .high), ("f", .low), ("g", .critical),
        ("h", .high),
      ]
      for (title, priority) in asked { _ = house.broker.submit(request(title, priority)) }
      _ = try await house.broker.submit(request("last", .low)).accepted()
      let presenter = TestPresenter(house.broker)
      for title in ["c", "g", "e", "h", "a", "d", "b", "f", "last"] {
        #expect(try await nextTitle(presenter) == title)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `what is shown is not taken back for a higher priority`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let low = house.broker.submit(request("low", .low))
      let shown = try await presenter.nextPresentation()
      let critical = house.broker.submit(request("critical", .critical))
      _ = try await critical.accepted()
      #expect(try await house.open().map(\.state) == [.presented, .queued])
      try await presenter.press("yes", on: shown)
      #expect(try await low.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(presenter) == "critical")
    }
  }

  @Test(arguments: Place.allCases)
  func `only who asks to take its place does, whatever its priority`(place: Place) async throws {
    try await place.run { house in
      let presenter = TestPresenter(house.broker)
      let critical = house.broker.submit(request("critical", .critical))
      let first = try await presenter.nextPresentation()
      let waiting = house.broker.submit(request("waiting", .critical))
      let low = house.broker.submit(request("low", .low, .cancelPrevious))
      #expect(try await presenter.nextWithdrawal() == (first.id, .cancelled))
      #expect(try await critical.outcome() == .cancelled(.superseded))
      #expect(try await nextTitle(presenter) == "low")
      #expect(try await low.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(presenter) == "waiting")
      #expect(try await waiting.outcome() == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `surfaces do not wait for each other`(place: Place) async throws {
    try await place.run { house async throws in
      let kitchen = TestPresenter(house.broker, surface: "kitchen")
      let main = TestPresenter(house.broker)
      _ = house.broker.submit(.alert("on main"))
      var other = PresentationRequest.alert("in the kitchen")
      other.surface = "kitchen"
      let handle = house.broker.submit(other)
      #expect(try await nextTitle(kitchen) == "in the kitchen")
      #expect(try await handle.outcome() == .answered(.button("yes")))
      #expect(try await nextTitle(main) == "on main")
    }
  }

  @Test(arguments: Place.allCases)
  func `no queue grows without a bound, and a full one says so and loses nothing`(place: Place) async throws {
    try await place.run(perSurface: 3) { house in
      let handles = ["a", "b", "c"].map { house.broker.submit(.alert($0)) }
      for handle in handles { _ = try await handle.accepted() }
      let error = await #expect(throws: RouterError.self) { try await ShowAlertAction()(AlertState("d")) }
      #expect(error?.code == .full)
      #expect(error?.retryAfter != nil)
      let presenter = TestPresenter(house.broker)
      for title in ["a", "b", "c"] { #expect(try await nextTitle(presenter) == title) }
      for handle in handles { #expect(try await handle.outcome() == .answered(.button("yes"))) }
    }
  }

  @Test(arguments: Place.allCases)
  func `the same sheet can be shown again and again, in a row and at once`(place: Place) async throws {
    try await place.run { house async throws in
      let presenter = TestPresenter(house.broker) { _ in .answer("red") }
      for _ in 0..<10 { #expect(try await ShowSheetAction()(PickColour()) == "red") }
      async let one = ShowSheetAction()(PickColour())
      async let other = ShowSheetAction()(PickColour())
      #expect(try await [one, other] == ["red", "red"])
      #expect(Set(presenter.shown.map(\.id)).count == 12)
    }
  }

  @Test(arguments: Place.allCases)
  func `who asks in the moment of closing is neither refused nor dropped`(place: Place) async throws {
    try await place.run { house async throws in
      let presenter = TestPresenter(house.broker) { $0.request.kind == .alert ? .press("yes") : .dismiss }
      let count = 20
      let notes = Notes()
      @Sendable func ask(_ number: Int) {
        EnvironmentValues.current.showSheet(AppSheet.contact("\(number)")) {
          notes.note("\(number)")
          // Now, as the one before has just ended.
          if number < count { ask(number + 1) }
        }
      }
      ask(1)
      for _ in 0..<count {
        #expect(try await house.broker.submit(.alert("meanwhile")).outcome() == .answered(.button("yes")))
      }
      #expect(await notes.next(count) == (1...count).map { "\($0)" })
      #expect(presenter.shown.count == 2 * count)
    }
  }
}
