import Router
import RouterTesting
import Testing

private struct Cleaner: Sendable {
  func clean(_ name: String) async throws -> Bool {
    let alert = AlertState("Delete \(name)?") {
      ButtonState("Delete", role: .destructive, action: true)
      ButtonState("Keep", role: .cancel, action: false)
    }
    do {
      return try await ShowAction()(alert)
    } catch NoAnswer.dismissed {
      return false
    }
  }
}

private struct PickColor: Sheet {
  typealias Answer = String
}

private struct PickSize: Sheet {
  typealias Answer = String
}

private func order() async throws -> String {
  try await navigate(from: PickColor()) { color, proxy in
    try await proxy.show(PickSize()).then { size, _ in try await proxy.finish("\(size), \(color)") }
  }
}

private let question = AlertState("Delete?") { ButtonState("Delete", action: true) }

@Suite(.timeLimit(.minutes(10)))
struct TestingPageTests {
  @Test func `deletes what the person confirms`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Delete"), .dismiss])
      let answers = try await [Cleaner().clean("cache"), Cleaner().clean("notes")]
      #expect(answers == [true, false])
      #expect(presenter.shown.map(\.request.title) == ["Delete cache?", "Delete notes?"])
    }
  }

  private func answer(on router: TestRouter) -> TestPresenter {
    let presenter = router.presenter { presentation in
      presentation.request.title == "Delete cache?" ? .press("Delete") : .dismiss
    }
    return presenter
  }

  @Test func `answers with a closure that sees each presentation`() async throws {
    try await withTestRouter { router in
      let presenter = answer(on: router)
      let answers = try await [Cleaner().clean("cache"), Cleaner().clean("notes")]
      #expect(answers == [true, false])
      #expect(presenter.shown.count == 2)
    }
  }

  @Test func `plays a sheet in its own types`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let color = ShowAction()(PickColor())
      let form = try await presenter.next(PickColor.self)
      try await form.answer("red")
      #expect(try await color == "red")
    }
  }

  private func orderByScript(on router: TestRouter) async throws -> String {
    let presenter = router.presenter(script: [.answer("red"), .answer("large")])
    let shirt = try await order()  // navigate(from: PickColor()) { … }
    #expect(presenter.unplayed.isEmpty)
    return shirt
  }

  @Test func `plays a flow of two screens by a script, and with their types`() async throws {
    try await withTestRouter { router async throws in
      #expect(try await orderByScript(on: router) == "large, red")
    }
    try await withTestRouter { router async throws in
      let presenter = router.presenter()
      async let shirt = order()
      try await presenter.next(PickColor.self).answer("blue")
      try await presenter.next(PickSize.self).answer("small")
      #expect(try await shirt == "small, blue")
    }
  }

  @Test func `withdraws the prompt when its task is cancelled`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let cleaning = Task { try await Cleaner().clean("cache") }
      let shown = try await presenter.nextPresentation()
      cleaning.cancel()
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await cleaning.value }
    }
  }

  @Test func `expires a prompt that nobody answers`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAction().result(of: question, options: { $0.timeout = .seconds(60) })
      _ = try await presenter.nextPresentation()
      router.clock.advance(by: .seconds(60))
      #expect(await outcome == .failure(.expired(.presented)))
    }
  }

  @Test func `logs who answered`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter("person", script: [.press("Delete")])
      _ = try await Cleaner().clean("cache")
      let id = try #require(presenter.shown.first?.id)
      let recorded = try await router.reader.presentation(id)
      #expect(recorded?.outcome == .answered(.button("b1")))
      #expect(recorded?.resolvedBy?.presenter == "person")
    }
  }

  private func deletes(on broker: some TestBroker) async throws {
    let presenter = broker.presenter(script: [.press("Delete")])
    #expect(try await Cleaner().clean("cache"))
    #expect(presenter.shown.count == 1)
  }

  @Test func `deletes, in process and over the daemon`() async throws {
    try await withTestRouter { try await deletes(on: $0) }
    try await withTestDaemon { try await deletes(on: $0) }
  }

  @Test func `answers with the typed line`() async throws {
    try await withTestRouter { router in
      let presenting = Task { try await router.run(LinePresenter(input: Input(["b1"]))) }
      let choice = try await ShowAction()(question)
      #expect(choice)
      presenting.cancel()
      _ = await presenting.result
    }
  }

  @Test func `builds clock, log, coordinator and presenter separately`() async throws {
    let coordinator = try await PresentationCoordinator(log: .inMemory())
    let presenter = TestPresenter(coordinator, on: "kitchen")
    #expect(presenter.shown.isEmpty)
    await coordinator.shutDown()
  }
}
