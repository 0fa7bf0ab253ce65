import Router
import RouterTesting
import TestSupport
import Testing

/// Commit, then act: everything that is visible is already recorded.
@Suite(.timeLimit(.minutes(10)))
struct RecordTests {
  @Test(arguments: Place.allCases)
  func `records requests before showing them, and outcomes before reporting them`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      for _ in 0..<10 {
        let handle = host.broker.submit(.alert("?"))
        let shown = try await presenter.nextPresentation()
        #expect(try await host.reader.events(of: shown.id).map(\.kind).first == .requested)
        async let told = presenter.press(id: "yes", on: shown)
        let outcome = try await handle.outcome()
        #expect(try await host.reader.presentation(shown.id)?.outcome == outcome)
        #expect(try await told.outcome == outcome)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `keeps an accepted answer and the queue order across a kill`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let presenter = TestPresenter(host.broker)
      let answered = try await host.detach(.alert("answered"))
      for title in ["a", "b", "c"] { _ = try await host.detach(.alert(title)) }
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())

      let next = try await host.killAndRestart()
      #expect(try await next.reader.presentation(answered.id)?.outcome == .answered(.button("yes")))
      #expect(try await next.open().map(\.request.title) == ["a", "b", "c"])
      let again = TestPresenter(next.broker)
      for title in ["a", "b", "c"] {
        let shown = try await again.nextPresentation()
        #expect(shown.request.title == title)
        try await again.dismiss(shown)
      }
      try await next.stop()
    }
  }

  @Test(arguments: Place.allCases.unshared(because: "sensitive requests are refused there"))
  func `returns a sensitive answer to its requester only`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      async let color = ShowAction()(PickColor(), options: { $0.sensitive = true })
      let shown = try await presenter.nextPresentation()
      #expect(try await presenter.answer("canary", on: shown).outcome == .answered(.redacted))
      #expect(try await color == "canary")
      #expect(try await host.reader.presentation(shown.id)?.outcome == .answered(.redacted))
      let events = try await host.reader.events(of: shown.id)
      #expect(!events.contains { "\($0.json)".contains("canary") })
    }
  }

  @Test(arguments: Place.allCases)
  func `ends each request once, and resumes each caller once`(place: Place) async throws {
    let seed = UInt64.random(in: .min ... .max)
    try await place.run { host in
      let presenter = TestPresenter(host.broker) { presentation in
        switch presentation.request.payload?.number?.integer {
        case 0: .answer("red")
        case 1: .dismiss
        case 2: .fail("cannot open the display")
        default: .leave
        }
      }
      let notes = Notes()
      let count = 60
      try await withThrowingTaskGroup(of: Void.self) { group in
        var random = SeededGenerator(seed: seed)
        for number in 0..<count {
          let way = Int.random(in: 0..<5, using: &random)
          group.addTask {
            var request = PresentationRequest(kind: .sheet, sheet: "s\(number)", payload: .integer(way))
            if way == 3 { request.shownTimeout = .milliseconds(1) }
            let handle = host.broker.submit(request) { notes.note("\(number)") }
            if way == 4 {
              _ = try await handle.accepted()
              handle.cancel()
            }
            // Three waiters, each resumed once; resuming a continuation twice would crash the process.
            async let outcomes = [handle.outcome(), handle.outcome(), handle.outcome()]
            let names = Set(try await outcomes.map(\.name))
            let expected: PresentationOutcome.Name =
              switch way {
              case 0: .answered
              case 1: .dismissed
              case 2: .failed
              case 3: .expired
              default: .cancelled
              }
            // A canceled request may have been shown; it still ends as canceled.
            #expect(names == [expected], "seed \(seed), request \(number)")
          }
        }
        try await group.waitForAll()
      }
      #expect(await Set(notes.next(count)).count == count, "seed \(seed)")
      var endings: [PresentationID: Int] = [:]
      for event in try await host.events() {
        switch event.kind {
        case .answered, .dismissed, .cancelled, .expired, .failed: endings[event.presentation!, default: 0] += 1
        default: break
        }
      }
      #expect(endings.count == count, "seed \(seed)")
      #expect(endings.values.allSatisfy { $0 == 1 }, "seed \(seed)")
      #expect(notes.all.count == count, "seed \(seed)")
      presenter.disconnect()
    }
  }

  @Test(arguments: Place.allCases)
  func `logs the requester, the resolver and the events`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker, name: "person")
      let handle = host.broker.submit(.alert("?"))
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      let id = try await handle.resolved().id
      let recorded = try #require(try await host.reader.presentation(id))
      #expect(recorded.requester.app == "tests")
      #expect(recorded.requester.process.pid == ProcessIdentity.current.pid)
      #expect(recorded.resolvedBy?.presenter == "person")
      #expect(recorded.requestedAt <= recorded.presentedAt! && recorded.presentedAt! <= recorded.resolvedAt!)
      let kinds = try await host.reader.events(of: id).map(\.kind)
      #expect(kinds.prefix(3) == [.requested, .presented, .answered])
    }
  }
}

/// A seeded random number generator (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
