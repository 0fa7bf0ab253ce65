import Logging
import Router
import RouterCompatibility
import Testing

/// A flow that cannot start or continue ends as failed and logs the error.
@Suite(.timeLimit(.minutes(10)))
struct NavigationFailureTests {
  /// Runs a body and returns its log lines.
  private func logged(_ body: () async throws -> Void) async rethrows -> [Lines.Line] {
    let log = Lines()
    try await withEnvironment(\.presentationLogger, log.logger) { try await body() }
    return log.lines
  }

  private func expect(_ lines: [Lines.Line], code: String) {
    #expect(lines.map(\.level) == [.critical])
    #expect(lines.map(\.message) == ["cannot go on with the flow"])
    #expect(lines.map { $0.metadata["code"] } == [code])
  }

  @Test func `fails without an injected broker`() async {
    let lines = await logged {
      let flow = await NavigationFlow(root: AddressForm()) { _, _ in Issue.record("the closure ran") }
      guard case .failed(let why) = flow.result.end else { return fail("\(flow.result)") }
      #expect(why.hasPrefix("cannot show the flow of the screen AddressForm: there is no presentation broker"))
    }
    expect(lines, code: "notInjected")
  }

  @Test func `fails if the root is refused`() async throws {
    try await FlowScene.run { scene in
      let lines = await logged {
        let flow = await NavigationFlow(root: Refused()) { _, _ in Issue.record("the closure ran") }
        #expect(flow.result.end == .failed("cannot accept /title: must not contain the character U+000A"))
      }
      expect(lines, code: "invalid")
    }
  }

  @Test func `fails if a sheet cannot be encoded`() async throws {
    try await FlowScene.run { scene in
      let lines = try await logged {
        let flow = await NavigationFlow(root: NotEncodable()) { _, _ in Issue.record("the closure ran") }
        guard case .failed = flow.result.end else { return fail("\(flow.result)") }
        async let other = NavigationFlow(root: AddressForm()) { _, proxy in
          let end = await proxy.show(NotEncodable()).then { _, _ in Issue.record("the closure ran") }
          guard case .failed = end.end else { return fail("\(end)") }
        }
        try await scene.answer("AddressForm", "Hill Road")
        guard case .failed(let why) = await other.result.end else { return fail("it did not fail") }
        #expect(why == "cannot show the screen NotEncodable: it cannot be encoded")
      }
      #expect(lines.map(\.level) == [.critical, .critical])
    }
  }

  @Test func `ends the flow and cancels its closures if a screen is refused`() async throws {
    try await FlowScene.run { scene in
      let lines = try await logged {
        async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
          await proxy.show(Coupon(address: address)).then { _, _ in
            let end = await proxy.show(Refused()).then { _, _ in Issue.record("the closure ran") }
            guard case .failed = end.end else { return fail("\(end)") }
            await untilCancelled()
            scene.notes("cancelled")
          }
        }
        try await scene.answer("AddressForm", "Hill Road")
        try await scene.answer("Coupon", .null)
        let flow = await ended
        #expect(flow.result.end == .failed("cannot accept /title: must not contain the character U+000A"))
        #expect(flow.lastAnswer == "Hill Road")
      }
      expect(lines, code: "invalid")
      #expect(scene.notes.all == ["cancelled"])
      #expect(try await scene.endings() == ["Coupon cancelled/parentEnded", "AddressForm cancelled/requester"])
    }
  }

  @Test func `fails if an answer has the wrong type`() async throws {
    try await FlowScene.run { scene in
      let lines = try await logged {
        async let ended = NavigationFlow(root: AddressForm()) { _, _ in Issue.record("the closure ran") }
        try await scene.answer("AddressForm", 7)
        let flow = await ended
        #expect(flow.result.end == .failed("cannot read the answer to the screen AddressForm as String"))
        #expect(flow.lastAnswer == nil)
      }
      expect(lines, code: "invalid")
    }
  }

  @Test func `throws from finish if it cannot be recorded, and continues`() async {
    let broker = ScriptedFlow()
    await withEnvironment(\.presentationBroker, broker) {
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let error = await #expect(throws: RouterError.self) { try await proxy.finish() }
        #expect(error?.code == .logUnavailable)
        broker.handle.end(.success(broker.presentation(.dismissed)))
        await untilCancelled()
      }
      broker.handle.answer(.value("Hill Road"))
      #expect(await ended.result.end == .dismissed)
    }
  }
}

/// A broker with one request that cannot be finished.
private final class ScriptedFlow: PartialBroker {
  let handle = PresentationHandle(withdraw: {}, finish: { throw RouterError(.logUnavailable, "cannot write the log") })

  func submit(_ request: PresentationRequest, onDismiss: DismissCallback?) -> PresentationHandle {
    handle.accept(presentation(nil))
    return handle
  }

  func presentation(_ outcome: PresentationOutcome?) -> Presentation {
    Presentation(
      id: PresentationIDGenerator().next(at: Timestamp(milliseconds: 0)),
      requester: Presentation.Requester(app: "test", process: ProcessIdentity(uid: 1, gid: 1, pid: 1)),
      request: PresentationRequest(kind: .sheet, sheet: "AddressForm", flow: true), requestedAt: Timestamp(milliseconds: 0),
      outcome: outcome)
  }
}
