import Router
import RouterCompatibility
import RouterTesting
import Testing

/// The same flow repeated `ROUTER_REPETITIONS` times, with the in-process coordinator and with a real daemon. All runs must be
/// identical.
@Suite(.timeLimit(.minutes(120)))
struct RepeatedFlowBehaviorTests {
  @Test(arguments: Place.allCases)
  func `repeats forward, Back, changed answers and back to the root identically`(place: Place) async throws {
    for repetition in 1...Scenario.repetitions {
      try await place.play { scenario in
        async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
          scenario.note(address)
          await proxy.show(Payment(address: address)).then { payment, _ in
            scenario.note(payment)
            await proxy.show(Done(address: address)).then { _, _ in proxy.popToRoot() }
          }
        }
        var told: [String] = []
        for (steps, name, value) in [
          (1, "ShippingForm", "Hill Road"), (4, "Payment", "card"), (4, "Done", nil), (2, "Payment", nil),
          (2, "ShippingForm", "Mill Lane"), (4, "Payment", "invoice"), (4, "Done", [:]), (4, "ShippingForm", nil),
        ] as [(Int, String, JSONValue?)] {
          told += try await scenario.events(steps)
          let shown = try scenario.last(name)
          if let value {
            try await scenario.presenter.answer(value, on: shown)
          } else {
            try await scenario.presenter.dismiss(shown)
          }
        }
        told.append(try await scenario.event())
        let flow = await ended
        #expect(flow.result.end == .dismissed)
        #expect(flow.lastAnswer == "Mill Lane")
        #expect(scenario.notes == ["Hill Road", "card", "Mill Lane", "invoice"])
        #expect(
          told == [
            "ShippingForm 1", "- ShippingForm 1 answered", "ShippingForm 2", "- ShippingForm 2 covered", "Payment 1",
            "- Payment 1 answered",
            "Payment 2", "- Payment 2 covered", "Done 1", "- Done 1 dismissed", "Payment 3", "- Payment 3 dismissed",
            "ShippingForm 3", "- ShippingForm 3 answered", "ShippingForm 4", "- ShippingForm 4 covered", "Payment 1",
            "- Payment 1 answered",
            "Payment 2", "- Payment 2 covered", "Done 1", "- Done 1 answered", "Done 2", "- Done 2 cancelled", "ShippingForm 5",
            "- ShippingForm 5 dismissed",
          ], "repetition \(repetition)")
        #expect(try await scenario.outcome(of: try scenario.last("Done")) == .cancelled(.parentEnded))
        #expect(try await scenario.outcome(of: try scenario.last("Payment")) == .cancelled(.requester))
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `cancels a running closure when its screen is answered again`(place: Place) async throws {
    for repetition in 1...Scenario.repetitions {
      try await place.play { scenario in
        async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
          scenario.note("begin \(address)")
          guard address == "3" else {
            await untilCancelled()
            return scenario.note("end \(address)")
          }
          try await proxy.show(Done(address: address)).then { _, _ in try await proxy.finish() }
        }
        for number in 1...3 {
          _ = try await scenario.events(number == 1 ? 1 : 2)
          try await scenario.presenter.answer(.string("\(number)"), on: try scenario.last("ShippingForm"))
          await scenario.wait(for: "begin \(number)")
        }
        try await scenario.answer("Done")
        #expect(try await ended.result == .success("3"), "repetition \(repetition)")
        #expect(scenario.notes == ["begin 1", "end 1", "begin 2", "end 2", "begin 3"], "repetition \(repetition)")
        #expect(try await scenario.outcome(of: try scenario.last("ShippingForm")) == .answered(.value("3")))
      }
    }
  }
}
