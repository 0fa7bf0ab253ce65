import Router
import RouterClient
import RouterTesting
import Testing

/// Flows, with the in-process coordinator and with a real daemon.
@Suite(.timeLimit(.minutes(10)))
struct FlowTests {
  @Test(arguments: Place.allCases)
  func `places an order with answers, Back, a changed answer and finish`(place: Place) async throws {
    try await place.run { house in
      let broker = house.broker
      let presenter = TestPresenter(broker)
      let root = broker.submit(.screen("address"))
      var addresses = root.answers.makeAsyncIterator()
      let shown = try await presenter.nextPresentation()
      try await presenter.answer("Ada", on: shown)
      #expect(await addresses.next() == .value("Ada"))

      let payment = broker.submit(.screen("payment", over: shown.id))
      try await presenter.dismiss(try await presenter.next("payment"))
      #expect(try await payment.resolved().outcome == .dismissed)
      try await presenter.answer("Grace", on: try await presenter.next("address"))
      #expect(await addresses.next() == .value("Grace"))

      let again = broker.submit(.screen("payment", over: shown.id))
      try await presenter.answer("card", on: try await presenter.next("payment"))
      #expect(try await again.finish().outcome == .answered(.value("card")))
      #expect(try await presenter.next("address").id == shown.id)
      let finished = try await root.finish()
      #expect(finished.outcome == .answered(.value("Grace")))
      #expect(try await root.resolved().outcome == finished.outcome)
      #expect(await addresses.next() == nil)
    }
  }

  @Test(arguments: Place.allCases)
  func `holds the surface, and withdraws all screens when the root is finished`(place: Place) async throws {
    try await place.run { house in
      let broker = house.broker
      let presenter = TestPresenter(broker)
      let root = broker.submit(.screen("address"))
      try await presenter.answer("Ada", on: try await presenter.next("address"))
      var other = PresentationRequest.alert("other")
      other.priority = .critical
      let waiting = broker.submit(other)
      _ = try await waiting.accepted()
      var screens = [root]
      for name in ["payment", "coupon", "summary"] {
        screens.append(broker.submit(.screen(name, over: try await screens.last!.accepted().id)))
        _ = try await presenter.next(name)
      }
      #expect(try await root.finish().outcome == .answered(.value("Ada")))
      for screen in screens.dropFirst() { #expect(try await screen.resolved().outcome == .cancelled(.parentEnded)) }
      let next = try await presenter.nextPresentation()
      #expect(next.request.title == "other")
      try await presenter.press(id: "yes", on: next)
      #expect(try await waiting.resolved().outcome == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases)
  func `shows a screen on two presenters, and takes the first answer of each showing`(place: Place) async throws {
    try await place.run { house in
      let broker = house.broker
      let (left, right) = (TestPresenter(broker, name: "left"), TestPresenter(broker, name: "right"))
      let root = broker.submit(.screen("address"))
      let (atLeft, atRight) = (try await left.nextPresentation(), try await right.nextPresentation())
      // Both presenters get the same showing.
      #expect((atLeft.id, atLeft.generation) == (atRight.id, atRight.generation))
      try await left.answer("left", on: atLeft)
      let error = await #expect(throws: RouterError.self) { try await right.answer("right", on: atRight) }
      #expect(error?.code == .staleGeneration)
      #expect(try await right.nextWithdrawal() == (atRight.id, .answered))
      try await right.answer("right", on: try await right.nextPresentation())
      #expect(try await root.finish().outcome == .answered(.value("right")))
    }
  }

  @Test(arguments: Place.allCases)
  func `ends the flow when the root is dismissed, and refuses to finish without an answer`(place: Place) async throws {
    try await place.run { house in
      let broker = house.broker
      let presenter = TestPresenter(broker)
      let root = broker.submit(.screen("address"))
      let shown = try await presenter.nextPresentation()
      let early = await #expect(throws: RouterError.self) { try await root.finish() }
      #expect(early?.code == .notAnswered)
      try await presenter.answer("Ada", on: shown)
      try await presenter.dismiss(try await presenter.next("address"))
      #expect(try await root.resolved().outcome == .dismissed)
      let late = await #expect(throws: RouterError.self) { try await root.finish() }
      #expect(late?.code == .resolved)
      #expect(late?.outcome == .dismissed)
      let alert = broker.submit(.alert("?"))
      let never = await #expect(throws: RouterError.self) { try await alert.finish() }
      #expect(never?.code == .impossible)
    }
  }

  @Test(arguments: Place.allCases.unshared(because: "sensitive requests are refused there"))
  func `returns each sensitive answer to the requester only`(place: Place) async throws {
    try await place.run { house in
      let broker = house.broker
      let presenter = TestPresenter(broker)
      let form = FormSchema(properties: [FormSchema.Property(name: "pin", kind: .string, format: .password)])
      let root = broker.submit(PresentationRequest(kind: .sheet, sheet: "unlock", schema: form, flow: true))
      let told = try await presenter.answer(["pin": "1234"], on: try await presenter.nextPresentation())
      #expect(told.outcome == nil)
      try await presenter.answer(["pin": "5678"], on: try await presenter.next("unlock"))
      #expect(try await root.finish().outcome == .answered(.redacted))
      #expect(try await root.resolved().outcome == .answered(.value(["pin": "5678"])))
      var answers: [PresentationAnswer] = []
      for await answer in root.answers { answers.append(answer) }
      #expect(answers == [.value(["pin": "1234"]), .value(["pin": "5678"])])
    }
  }
}

extension PresentationRequest {
  /// Returns the root of a flow, or one of its screens with `over`.
  static func screen(_ sheet: String, over: PresentationID? = nil) -> PresentationRequest {
    PresentationRequest(kind: .sheet, sheet: sheet, over: over, flow: true)
  }
}

extension TestPresenter {
  /// Returns the next presentation of a sheet, skipping answered screens that are shown again first.
  func next(_ sheet: String) async throws -> Presentation {
    while true {
      let presentation = try await nextPresentation()
      if presentation.request.sheet == sheet { return presentation }
    }
  }
}
