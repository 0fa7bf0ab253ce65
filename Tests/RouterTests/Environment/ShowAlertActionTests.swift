import Router
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShowAlertActionTests {
  private let alert = AlertState {
    "Delete?"
  } actions: {
    ButtonState("Delete", role: .destructive, action: true)
    ButtonState("Keep", id: "keep", role: .cancel, action: false)
    ButtonState("Ask me later")
  }

  @discardableResult
  private func inject<Result>(_ end: PresentationOutcome, _ operation: () async throws -> Result) async rethrows -> Result {
    try await withEnvironment(\.presentationBroker, ScriptedBroker(end), operation: operation)
  }

  @Test(arguments: [("b1", true), ("keep", false)])
  func `returns the button's action, whatever its role`(id: String, action: Bool) async throws {
    try await inject(.answered(.button(id))) {
      let answer = try await ShowAction()(alert)
      #expect(answer == action)
      #expect(await ShowAction().result(of: alert) == .success(action))
    }
  }

  @Test func `treats a button without an action as a dismissal`() async {
    for end in [PresentationOutcome.answered(.button("b3")), .dismissed] {
      await inject(end) {
        await #expect(throws: NoAnswer.dismissed) { _ = try await ShowAction()(alert) }
        #expect(await ShowAction().result(of: alert) == .failure(.dismissed))
      }
    }
  }

  @Test func `returns an action that is nil`() async throws {
    let alert = AlertState<Int?>("How many?") { ButtonState("None", action: .some(nil)) }
    try await inject(.answered(.button("b1"))) {
      let answer = try await ShowAction()(alert)
      #expect(answer == .some(nil))
      #expect(await ShowAction().result(of: alert) == .success(nil))
    }
  }

  @Test func `returns when an alert without choices is closed`() async throws {
    for end in [PresentationOutcome.answered(.button("ok")), .dismissed] {
      try await inject(end) {
        try await ShowAction()(AlertState("Done."))
        #expect(await ShowAction().result(of: AlertState("Done.")) == .failure(.dismissed))
      }
    }
    await inject(.expired(.presented)) {
      await #expect(throws: NoAnswer.expired(.presented)) {
        try await ShowAction()(AlertState("Done."))
      }
    }
  }

  @Test func `throws an error for an unknown button`() async {
    for answer in [PresentationAnswer.button("b2"), .value(1), .redacted] {
      await inject(.answered(answer)) {
        #expect(await #expect(throws: RouterError.self) { _ = try await ShowAction()(alert) }?.code == .invalid)
      }
    }
  }

  @Test func `an alert whose buttons cannot be told apart is refused before it is shown`() async {
    let broker = ScriptedBroker(.answered(.button("b1")))
    await withEnvironment(\.presentationBroker, broker) {
      let alert = AlertState<Never>("Delete?") {
        ButtonState("Delete")
        ButtonState("Keep")
      }
      let error = await #expect(throws: RouterError.self) { try await ShowAction()(alert) }
      #expect(error?.code == .invalid)
      #expect(error?.message.hasPrefix("cannot show the alert: its buttons 1 and 2 have no action") == true)
      #expect(await ShowAction().result(of: AlertState<Never>("Done.") { ButtonState("Fine") }) == .failure(.dismissed))
    }
    #expect(broker.requests.map(\.title) == ["Done."])
  }

  @Test func `shows an alert without waiting`() async {
    let broker = ScriptedBroker(.dismissed)
    let (ended, continuation) = AsyncStream<Int>.makeStream()
    withEnvironment(\.presentationBroker, broker) {
      ShowAction().post(alert, options: { $0.surface = "ops" }, onDismiss: { continuation.yield(1) })
    }
    #expect(broker.requests == [PresentationRequest(alert).applying(PresentationOptions(surface: "ops"))])
    for await count in ended {
      #expect(count == 1)
      break
    }
  }
}
