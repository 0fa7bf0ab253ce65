import OrderedCollections
import Router
import RouterTesting
import Testing

/// Pausing the session of an agent that asks too much.
/// Promise P40.
@Suite(.timeLimit(.minutes(10)))
struct PauseBehaviorTests {
  private func ask(_ title: String, _ session: String, _ host: any Host) async throws -> PresentationID {
    var request = PresentationRequest.alert(title)
    request.options.metadata = [AgentLabel.session: session]
    return try await host.detach(request).id
  }

  @Test(arguments: Place.allCases)
  func `shows nothing of a paused session until the pause is ended`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let first = try await ask("a", "one", host)
      let second = try await ask("b", "two", host)
      #expect(try await presenter.nextPresentation().id == first)
      try await host.pauseSession(of: first, for: .seconds(3600))
      let shown = try await presenter.nextPresentation()
      #expect(shown.id == second)
      let third = try await ask("c", "one", host)
      try await presenter.press(id: "yes", on: shown)
      try await host.eventuallyTold("the second has ended") { try await host.open().map(\.id) == [first, third] }
      #expect(try await host.open().allSatisfy { $0.snoozedUntil != nil && $0.state == .queued })
      #expect(try await host.pauses().map(\.presentation) == [first])

      try await host.endPause(first)
      for id in [first, third] {
        let again = try await presenter.nextPresentation()
        #expect(again.id == id && again.snoozedUntil == nil)
        try await presenter.press(id: "yes", on: again)
      }
      let events = try await host.reader.events(of: third)
      #expect(events.map(\.kind) == [.requested, .deferred, .woken, .presented, .answered])
      #expect(events[0].at <= events[1].at && events[1].detail["by"]?["pid"] != nil)
      #expect(try await host.reader.events(of: first).map(\.kind).prefix(4) == [.requested, .presented, .paused, .withdrawn])
      try await host.eventuallyTold("the pause has ended") { try await host.pauses().isEmpty }
      let error = await #expect(throws: RouterError.self) { try await host.endPause(first) }
      #expect(error?.code == .notFound)
      #expect(try await host.reader.verify().fault == nil)
    }
  }

  /// On a shared surface, another host takes over.
  @Test(arguments: Place.allCases)
  func `keeps a pause across a kill`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let presenter = TestPresenter(host.broker)
      let first = try await ask("a", "one", host)
      _ = try await presenter.nextPresentation()
      try await host.pauseSession(of: first, for: .seconds(3600))
      var pauses: [SessionPause] = []
      try await host.eventuallyTold("the pause is known") {
        pauses = try await host.pauses()
        return !pauses.isEmpty
      }

      let next = try await host.killAndRestart()
      let again = TestPresenter(next.broker)
      // Of another host, it would be another session.
      let second = place == .shared ? [] : [try await ask("b", "one", next)]
      let third = try await ask("c", "two", next)
      #expect(try await again.nextPresentation().id == third)
      try await next.eventuallyTold("the third is shown") { try await next.open().map(\.id) == [third, first] + second }
      #expect(try await next.pauses() == pauses)
      try await next.endPause(first)
      try await next.eventuallyTold("the pause has ended") { try await next.pauses().isEmpty }
      try await next.stop()
    }
  }

  @Test(arguments: Place.allCases)
  func `says what is wrong with a pause`(place: Place) async throws {
    try await place.run { host in
      let id = try await ask("a", "one", host)
      for seconds in [1, 100_000] {
        let error = await #expect(throws: RouterError.self) { try await host.pauseSession(of: id, for: .seconds(seconds)) }
        #expect(error?.code == .impossible && error?.field == "/for")
      }
      try await host.withdraw(id)
      let error = await #expect(throws: RouterError.self) { try await host.pauseSession(of: id, for: .seconds(60)) }
      #expect([.resolved, .notFound].contains(error?.code))
    }
  }
}
