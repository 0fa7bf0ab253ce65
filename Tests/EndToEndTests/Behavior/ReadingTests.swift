import FoundationEssentials
import Router
import RouterTesting
import Testing

/// What any broker tells of its presentations, and the handle of a posted prompt.
@Suite(.timeLimit(.minutes(10)))
struct ReadingTests {
  @Test(arguments: Place.allCases) func `reads, waits for and cancels presentations through any broker`(place: Place)
    async throws
  {
    try await place.run { host in
      let broker = host.broker
      let presenter = TestPresenter(broker)
      let (first, second) = (broker.submit(.alert("first")), broker.submit(.alert("second")))
      let shown = try await presenter.nextPresentation()
      let waiting = try await second.accepted().id
      #expect(try await broker.presentations(surface: "main").map(\.id) == [shown.id, waiting])
      #expect(try await broker.presentations(surface: "elsewhere").isEmpty)
      #expect(try await broker.presentation(waiting).state == .queued)

      async let ended = broker.resolved(shown.id)
      #expect(try await broker.cancel(waiting).outcome != nil)
      #expect(try await second.outcome() == broker.presentation(waiting).outcome)
      try await presenter.press(id: "yes", on: shown)
      #expect(try await ended.outcome == .answered(.button("yes")))
      #expect(try await broker.resolved(shown.id).outcome == first.outcome())

      let unknown = PresentationID(uuid: UUID())
      for read in [broker.presentation, broker.resolved] {
        let error = await #expect(throws: RouterError.self) { _ = try await read(unknown) }
        #expect(error?.code == .notFound)
      }
    }
  }

  @Test(arguments: Place.allCases) func `withdraws and waits for a posted prompt with its handle`(place: Place) async throws {
    try await place.run { host in
      let presenter = TestPresenter(host.broker)
      let posted = ShowAction().post(AppSheet.settings)
      let shown = try await presenter.nextPresentation()
      posted.cancel()
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      #expect(try await posted.outcome() == .cancelled(.requester))
    }
  }

  @Test(arguments: Place.allCases) func `reads the log as a sequence of pages`(place: Place) async throws {
    try await place.run { host in
      var query = host.query
      query.limit = 2
      let presenter = TestPresenter(host.broker, script: Array(repeating: .press(id: "yes"), count: 5))
      for number in 1...5 { _ = try await host.broker.submit(.alert("\(number)")).outcome() }
      var titles: [String?] = []
      for try await presentation in host.reader.presentations(query) { titles.append(presentation.request.title) }
      #expect(titles == ["5", "4", "3", "2", "1"])
      #expect(presenter.unplayed.isEmpty)
      var kinds = Set<AuditEvent.Kind>()
      for try await event in host.reader.events(query) { kinds.insert(event.kind) }
      #expect(kinds.isSuperset(of: [.requested, .presented, .answered]))
    }
  }
}
