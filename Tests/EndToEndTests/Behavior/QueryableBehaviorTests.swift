import Router
import RouterCompatibility
import RouterTesting
import Testing

/// `Queryable` and `run`, with the in-process coordinator and with a real daemon.
@Suite(.timeLimit(.minutes(10)))
struct QueryableBehaviorTests {
  struct Editor: Sheet {
    typealias Answer = Player
    var draft: Player
  }

  struct Player: Codable, Sendable, Hashable {
    var name: String
  }

  private let deletion = Queryable<String, Bool>(alert: { name in
    AlertState("Delete \(name)?") {
      ButtonState("Delete", id: "delete", role: .destructive, action: true)
      ButtonState("Keep", id: "keep", role: .cancel)
    }
  })

  private func expect<Value>(_ reason: NoAnswer, _ query: Task<Value, any Error>) async {
    let error = await #expect(throws: NoAnswer.self) { _ = try await query.value }
    #expect(error == reason)
  }

  private func asking(_ name: String, _ policy: PresentationOptions.ConflictPolicy? = nil) -> Task<Bool, any Error> {
    Task { [deletion] in try await deletion.query(with: name, conflictPolicy: policy) }
  }

  @Test(arguments: Place.allCases) func `returns a sheet's typed answer, twice in a row`(place: Place) async throws {
    let editing = Queryable<Player, Player>(sheet: { Editor(draft: $0) })
    try await place.play { scenario in
      for name in ["Ada", "Grace"] {
        async let player = editing.query(with: Player(name: ""))
        #expect(try await scenario.answer("Editor", ["name": .string(name)]).request.payload == ["draft": ["name": ""]])
        #expect(try await player == Player(name: name))
      }
      async let first = RunAction()(Editor(draft: Player(name: "Ada")))
      try await scenario.answer("Editor", ["name": "Barbara"])
      #expect(try await first == Player(name: "Barbara"))
      let child = try RunAction().start(Editor(draft: Player(name: "Ada")))
      try await scenario.answer("Editor", ["name": "Margaret"])
      #expect(try await child.firstValue() == Player(name: "Margaret"))
    }
  }

  @Test(arguments: Place.allCases) func `throws the recorded reason of each ending`(place: Place) async throws {
    try await place.play { scenario in
      let answered = asking("a")
      try await scenario.press("delete", on: "Delete a?")
      #expect(try await answered.value)

      let nothing = asking("b")
      try await scenario.press("keep", on: "Delete b?")
      await expect(.dismissed, nothing)

      let closed = asking("c")
      try await scenario.back(from: "Delete c?")
      await expect(.dismissed, closed)

      let cancelled = asking("d")
      let shown = try await scenario.showing("Delete d?")
      cancelled.cancel()
      await expect(.cancelled(.requester), cancelled)
      #expect(try await scenario.outcome(of: shown) == .cancelled(.requester))

      let superseded = asking("e")
      let first = try await scenario.showing("Delete e?")
      await expect(.cancelled(.busy), asking("f", .cancelNew))
      let last = asking("g", .cancelPrevious)
      await expect(.cancelled(.superseded), superseded)
      #expect(try await scenario.outcome(of: first) == .cancelled(.superseded))
      try await scenario.press("delete", on: "Delete g?")
      #expect(try await last.value)
      #expect(!deletion.isQuerying)
    }
  }

  @Test(arguments: Place.allCases) func `cancels the shown query and the waiting ones`(place: Place) async throws {
    try await place.play { scenario in
      var begun = deletion.queries.makeAsyncIterator()
      let first = asking("a")
      #expect(await begun.next()?.input == "a")
      _ = try await scenario.showing("Delete a?")
      let second = asking("b")
      #expect(await begun.next()?.input == "b")
      deletion.cancel()
      await expect(.cancelled(.requester), first)
      await expect(.cancelled(.requester), second)
      #expect(!deletion.isQuerying)
    }
  }

  @Test(arguments: Place.allCases)
  func `records the program's own answer as canceled by the requester`(place: Place) async throws {
    try await place.play { scenario in
      var begun = deletion.queries.makeAsyncIterator()
      let query = asking("a")
      let shown = try await scenario.showing("Delete a?")
      let observed = await begun.next()
      observed?.resolver.answer(with: true)
      #expect(try await query.value)
      #expect(try await scenario.outcome(of: shown) == .cancelled(.requester))
    }
  }

  @Test(arguments: Place.allCases)
  func `answers with an optional, throws or cancels through a resolver`(place: Place) async throws {
    struct Trouble: Error {}
    try await place.play { scenario async throws in
      var begun = deletion.queries.makeAsyncIterator()
      func next() async throws -> QueryResolver<Bool>? {
        let query = await begun.next()
        return query?.resolver
      }
      let optional = asking("a")
      try await next()?.answer(withOptional: false)
      #expect(try await !optional.value)
      let nothing = asking("b")
      try await next()?.answer(withOptional: nil)
      await expect(.cancelled(.requester), nothing)
      let thrown = asking("c")
      try await next()?.answer(throwing: Trouble())
      await #expect(throws: Trouble.self) { try await thrown.value }
      let closed = asking("d")
      try await next()?.cancelQuery()
      await expect(.cancelled(.requester), closed)
    }
  }

  @Test(arguments: Place.allCases)
  func `reports starts and ends, and applies the object's default policy`(place: Place) async throws {
    let busy = Queryable<Void, Bool>(
      conflictPolicy: .cancelNew, alert: { AlertState("Sure?") { ButtonState("Yes", action: true) } })
    try await place.play { scenario in
      var begun = busy.queries.makeAsyncIterator()
      var ends = busy.ends.makeAsyncIterator()
      #expect(!busy.isQuerying)
      let first = Task { try await busy.query() }
      let shown = try await scenario.showing("Sure?")
      let query = await begun.next()
      #expect(busy.isQuerying)
      await expect(.cancelled(.busy), Task { try await busy.query() })
      #expect(await ends.next()?.id == (await begun.next()?.id))
      try await scenario.presenter.press(id: "b1", on: shown)
      #expect(try await first.value)
      let end = await ends.next()
      #expect(end?.id == query?.id)
      #expect(try end?.result.get() == true)
      #expect(!busy.isQuerying)
    }
  }
}
