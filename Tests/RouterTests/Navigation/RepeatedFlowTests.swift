import Glibc
import Router
import RouterCompatibility
import RouterTesting
import TestSupport
import Testing

/// Repeats of the same flow, which must behave identically. `ROUTER_REPETITIONS` sets the number.
@Suite(.timeLimit(.minutes(10)))
struct RepeatedFlowTests {
  static let repetitions = getenv("ROUTER_REPETITIONS").flatMap { Int(String(cString: $0)) } ?? 20

  /// Plays a scene repeatedly and expects the same events and the same log each time.
  private func repeatedly(
    _ expected: [String], record: [String], play: @Sendable (FlowScene, _ run: Int) async throws -> [String]
  ) async throws {
    for run in 1...Self.repetitions {
      try await FlowScene.run { scene in
        let told = try await play(scene, run)
        #expect(told == expected, "repetition \(run)")
        #expect(try await scene.endings() == record, "repetition \(run)")
      }
    }
  }

  @Test func `handles Back, a changed answer and popToRoot identically each time`() async throws {
    let expected = [
      "AddressForm 1", "- AddressForm 1 answered", "AddressForm 2", "- AddressForm 2 covered", "Coupon 1",
      "- Coupon 1 answered", "Coupon 2", "- Coupon 2 covered", "Payment 1", "- Payment 1 dismissed", "Coupon 3",
      "- Coupon 3 dismissed", "AddressForm 3", "- AddressForm 3 answered", "AddressForm 4", "- AddressForm 4 covered",
      "Coupon 1",
      "- Coupon 1 answered", "Coupon 2", "- Coupon 2 covered", "Payment 1", "- Payment 1 answered", "Payment 2",
      "- Payment 2 cancelled", "AddressForm 5", "- AddressForm 5 dismissed",
    ]
    let record = [
      "Payment dismissed", "Coupon dismissed", "Payment cancelled/parentEnded", "Coupon cancelled/requester",
      "AddressForm dismissed",
    ]
    try await repeatedly(expected, record: record) { scene, run in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        scene.notes(address)
        await proxy.show(Coupon(address: address)).then { coupon, _ in
          scene.notes(coupon ?? "none")
          await proxy.show(Payment()).then { payment, _ in
            scene.notes(payment.rawValue)
            proxy.popToRoot()
          }
        }
      }
      var told: [String] = []
      for (steps, name, value) in [
        (1, "AddressForm", "Hill Road"), (4, "Coupon", "A"), (4, "Payment", nil), (2, "Coupon", nil),
        (2, "AddressForm", "Mill Lane"), (4, "Coupon", "B"), (4, "Payment", "card"), (4, "AddressForm", nil),
      ] as [(Int, String, JSONValue?)] {
        told += try await scene.events(steps)
        let shown = try scene.last(name)
        if let value {
          try await scene.presenter.answer(value, on: shown)
        } else {
          try await scene.presenter.dismiss(shown)
        }
      }
      let flow = await ended
      #expect(flow.result.end == .dismissed)
      #expect(flow.lastAnswer == "Mill Lane")
      #expect(scene.notes.all == ["Hill Road", "A", "Mill Lane", "B", "card"])
      return told + [try await scene.event()]
    }
  }

  @Test func `cancels a running closure on a new answer identically each time`() async throws {
    let expected = [
      "AddressForm 1", "- AddressForm 1 answered", "AddressForm 2", "- AddressForm 2 answered", "AddressForm 3",
      "- AddressForm 3 answered", "AddressForm 4", "- AddressForm 4 covered", "Done 1", "- Done 1 answered", "Done 2",
      "- Done 2 cancelled",
    ]
    try await repeatedly(expected, record: ["Done cancelled/parentEnded", "AddressForm answered"]) { scene, run in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        scene.notes("begin \(address)")
        guard address == "3" else {
          await untilCancelled()
          return scene.notes("end \(address)")
        }
        try await proxy.show(Done(address)).then { _, _ in try await proxy.finish() }
      }
      var told: [String] = []
      for number in 1...3 {
        told += try await scene.events(number == 1 ? 1 : 2)
        try await scene.presenter.answer(.string("\(number)"), on: try scene.last("AddressForm"))
        await scene.notes.wait(for: "begin \(number)")
      }
      told += try await scene.events(4)
      try await scene.presenter.answer([:], on: try scene.last("Done"))
      #expect(try await ended.result == .success("3"))
      #expect(scene.notes.all == ["begin 1", "end 1", "begin 2", "end 2", "begin 3"])
      return told + (try await scene.events(3))
    }
  }

  @Test func `canceling at a random step leaves nothing open and lets every closure return`() async throws {
    var random = SplitMix64(seed: UInt64(Self.repetitions))
    for run in 1...Self.repetitions {
      let steps = Int.random(in: 0...6, using: &random)
      try await FlowScene.run { scene in
        let flow = Task {
          await NavigationFlow(root: AddressForm()) { address, proxy in
            scene.notes("+")
            await proxy.show(Coupon(address: address)).then { _, _ in
              scene.notes("+")
              await proxy.show(Payment()).thenReplacingTop { _, _ in
                scene.notes("+")
                await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
                scene.notes("-")
              }
              scene.notes("-")
            }
            scene.notes("-")
          }
        }
        for step in 0..<steps {
          switch step {
          case 0: try await scene.answer("AddressForm", "Hill Road")
          case 1: try await scene.answer("Coupon", .null)
          case 2: try await scene.answer("Payment", "card")
          case 3: try await scene.answer("Done")
          case 4: try await scene.answer("AddressForm", "Mill Lane")
          default: try await scene.answer("Coupon", "B")
          }
        }
        flow.cancel()
        #expect(await flow.value.result.end == .cancelled(.requester), "repetition \(run), after \(steps) steps")
        #expect(await scene.coordinator.openCount == 0, "repetition \(run), after \(steps) steps")
        let notes = scene.notes.all
        #expect(notes.count { $0 == "+" } == notes.count { $0 == "-" }, "repetition \(run), after \(steps) steps")
      }
    }
  }
}
