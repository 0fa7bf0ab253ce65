import Router
import RouterTesting
import Testing

/// Presenters that come second, or show only what is urgent.
@Suite(.timeLimit(.minutes(10)))
struct EscalationBehaviorTests {
  private static let delay = Duration.seconds(10)

  @Test(arguments: Place.allCases)
  func `shows a prompt later in the same generation, and nothing that was answered before`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      var later = host.attach("later", PresenterScope(after: Self.delay)).events.makeAsyncIterator()
      #expect(try await later.next() == .queue(waiting: 0))
      let early = try await host.detach(.alert("early")).id
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      let late = try await host.detach(.alert("late")).id
      let shown = try await presenter.nextPresentation()

      let event = try await Self.nextPrompt(&later)
      guard case .present(let presentation, _) = event else {
        Issue.record("got \(event)")
        return
      }
      #expect(presentation.id == late && presentation.generation == shown.generation)
      let events = try await host.reader.events(of: late)
      let presented = try #require(events.first { $0.kind == .presented })
      #expect(PresentationClock.system.wall().duration(since: presented.at) >= Self.delay)
      #expect(presented.detail["presenters"]?.array?.contains { $0["name"] == "later" && $0["after"] == 10 } == true)

      try await presenter.press(id: "yes", on: shown)
      #expect(try await Self.nextPrompt(&later) == .withdraw(late, generation: shown.generation, reason: .answered))
      #expect(try await host.reader.events(of: early).last?.kind == .answered)
    }
  }

  /// Returns the next event that is not about the length of the queue.
  private static func nextPrompt(
    _ events: inout AsyncThrowingStream<PresenterEvent, any Error>.AsyncIterator
  ) async throws -> PresenterEvent {
    while let event = try await events.next() {
      if case .queue = event { continue }
      return event
    }
    throw CancellationError()
  }

  @Test(arguments: Place.allCases)
  func `shows only what is urgent enough, past what is not`(place: Place) async throws {
    try await place.run { host in
      var urgent = host.attach("urgent", PresenterScope(priority: .high)).events.makeAsyncIterator()
      let plain = try await host.detach(.alert("plain"))
      var request = PresentationRequest.alert("urgent")
      request.priority = .high
      let wanted = try await host.detach(request)
      guard case .present(let presentation, _) = try await Self.nextPrompt(&urgent) else {
        Issue.record("nothing is shown")
        return
      }
      #expect(presentation.id == wanted.id)
      #expect(try await host.open().map(\.state) == [.presented, .queued])
      // A presenter of everything goes on with the rest.
      let presenter = TestPresenter(host.broker)
      #expect(try await presenter.nextPresentation().id == wanted.id)
      try await presenter.press(id: "yes", on: presentation)
      #expect(try await presenter.nextPresentation().id == plain.id)
      #expect(try await Self.nextPrompt(&urgent) == .withdraw(wanted.id, generation: 1, reason: .answered))
    }
  }
}
