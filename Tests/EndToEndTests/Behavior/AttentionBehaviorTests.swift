import Router
import RouterTesting
import Testing

/// Snoozing and raising, as a person with a line of prompts does.
/// Promise P40.
@Suite(.timeLimit(.minutes(10)))
struct AttentionBehaviorTests {
  @Test(arguments: Place.allCases)
  func `shows the next prompt at once, and a snoozed one again after its time`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let ids = [try await host.detach(.alert("a")).id, try await host.detach(.alert("b")).id]
      let first = try await presenter.nextPresentation()
      #expect(first.id == ids[0])
      let snoozed = try await presenter.snooze(first, for: .seconds(10))
      #expect(snoozed.state == .queued)
      let until = try #require(snoozed.snoozedUntil)
      let second = try await presenter.nextPresentation()
      #expect(second.id == ids[1])
      try await presenter.press(id: "yes", on: second)
      let again = try await presenter.nextPresentation()
      #expect(again.id == ids[0] && again.generation == 2 && again.snoozedUntil == nil)
      try await presenter.press(id: "yes", on: again)

      let events = try await host.reader.events(of: ids[0])
      #expect(events.map(\.kind) == [.requested, .presented, .withdrawn, .woken, .presented, .answered])
      let withdrawn = try #require(events.first { $0.kind == .withdrawn })
      #expect(withdrawn.detail["reason"] == "snoozed" && withdrawn.detail["by"]?["presenter"] == "test")
      #expect(withdrawn.detail["until"] == .string("\(until)"))
      #expect(try #require(events.first { $0.kind == .woken }).at >= until)
      #expect(try await host.reader.verify().fault == nil)
    }
  }

  /// On a shared surface, another host takes over.
  @Test(arguments: Place.allCases)
  func `keeps a snooze across a kill`(place: Place) async throws {
    try await place.run(alone: true) { host in
      let presenter = TestPresenter(host.broker)
      let first = try await host.detach(.alert("a"))
      let second = try await host.detach(.alert("b"))
      let snoozed = try await presenter.snooze(try await presenter.nextPresentation(), for: .seconds(3600))

      let next = try await host.killAndRestart()
      let again = TestPresenter(next.broker)
      #expect(try await again.nextPresentation().id == second.id)
      let open = try await next.open()
      #expect(open.map(\.id) == [second.id, first.id])
      #expect(open.last?.snoozedUntil == snoozed.snoozedUntil)
      #expect(try await next.raise(first.id).state == .presented)
      #expect(try await again.nextWithdrawal() == (second.id, .covered))
      let raised = try await again.nextPresentation()
      #expect(raised.id == first.id && raised.snoozedUntil == nil)
      try await again.dismiss(raised)
      try await again.dismiss(try await again.nextPresentation())
      try await next.stop()
    }
  }

  @Test(arguments: Place.allCases)
  func `raises a waiting prompt, and ends a snooze early`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      var ids: [PresentationID] = []
      for title in ["a", "b", "c"] { ids.append(try await host.detach(.alert(title)).id) }
      let first = try await presenter.nextPresentation()
      _ = try await host.raise(ids[2])
      #expect(try await presenter.nextPresentation().id == ids[2])
      #expect(try await host.open().map(\.id) == [ids[2], ids[0], ids[1]])
      await #expect(throws: RouterError.self) { try await presenter.dismiss(first) }

      let raised = try #require(try await host.open().first)
      try await presenter.snooze(raised, for: .seconds(3600))
      #expect(try await presenter.nextPresentation().id == ids[0])
      #expect(try await host.wake(ids[2]).snoozedUntil == nil)
      for id in ids {
        _ = try await host.raise(id)
        while try await host.open().first?.id != id { try Task.checkCancellation() }
        let shown = try #require(try await host.open().first)
        try await presenter.dismiss(shown)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `says what is wrong with a snooze`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      var request = PresentationRequest.alert("a")
      request.timeout = .seconds(600)
      _ = try await host.detach(request)
      let shown = try await presenter.nextPresentation()
      for seconds in [1, 700, 100_000] {
        let error = await #expect(throws: RouterError.self) {
          try await presenter.snooze(shown, for: .seconds(seconds))
        }
        #expect(error?.code == .impossible && error?.field == "/for")
      }
      try await presenter.dismiss(shown)
    }
  }
}
