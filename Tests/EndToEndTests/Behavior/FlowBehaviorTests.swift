import Router
import RouterCompatibility
import RouterTesting
import Testing

/// `NavigationFlow`, with the in-process coordinator and with a real daemon. Its closures cannot tell the difference.
@Suite(.timeLimit(.minutes(10)))
struct FlowBehaviorTests {
  struct Trouble: Error {}

  @Test(arguments: Place.allCases) func `replaces the top screen, and pops to a screen`(place: Place) async throws {
    try await place.play { scenario in
      async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
        let end = await proxy.show(Payment(address: address)).then { payment, paymentScreen in
          await proxy.show(Done(address: payment)).thenReplacingTop { _, done in
            await proxy.show(ShippingForm()).then { _, _ in proxy.pop(to: done) }
            scenario.note(Task.isCancelled ? "cancelled" : "back on done")
            proxy.pop()
          }
        }
        if case .failure(.cancelled(.superseded)) = end { scenario.note("superseded") }
      }
      try await scenario.answer("ShippingForm", "Hill Road")
      try await scenario.answer("Payment", "card")
      let root = try scenario.last("ShippingForm")
      #expect(try await scenario.events(4) == ["- Payment 1 answered", "Payment 2", "- Payment 2 cancelled", "Done 1"])
      let done = try scenario.last("Done")
      #expect(done.request.over == root.id)
      try await scenario.presenter.answer([:], on: done)
      #expect(try await scenario.answer("ShippingForm", "Bank Street").request.over == done.id)
      await scenario.wait(for: "back on done")
      await scenario.wait(for: "superseded")
      let shown = try await scenario.showing("ShippingForm")
      #expect(shown.id == root.id)
      try await scenario.presenter.dismiss(shown)
      #expect(await ended.result.end == .dismissed)
      #expect(try await scenario.outcome(of: try scenario.last("Payment")) == .cancelled(.superseded))
    }
  }

  @Test(arguments: Place.allCases)
  func `withdraws the whole flow at once when its task is canceled, and waits for its closures`(place: Place) async throws {
    try await place.play { scenario in
      let flow = Task {
        await NavigationFlow(root: ShippingForm()) { address, proxy in
          await proxy.show(Payment(address: address)).then { _, _ in
            await proxy.show(Done(address: address)).then { _, _ in
              scenario.note("begin")
              await untilCancelled()
              scenario.note("innermost")
            }
          }
          scenario.note("outer")
        }
      }
      try await scenario.answer("ShippingForm", "Hill Road")
      try await scenario.answer("Payment", "card")
      try await scenario.answer("Done")
      await scenario.wait(for: "begin")
      let other = scenario.broker.submit(.alert("other"))
      _ = try await other.accepted()
      _ = try await scenario.events(2)
      flow.cancel()
      #expect(await flow.value.result.end == .cancelled(.requester))
      #expect(scenario.notes == ["begin", "innermost", "outer"])
      #expect(try await scenario.events(2) == ["- Done 2 cancelled", "other 1"])
      try await scenario.presenter.press(id: "yes", on: try scenario.last("other"))
      #expect(try await other.resolved().outcome == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases) func `ends with a thrown error after withdrawing all screens`(place: Place) async throws {
    try await place.play { scenario in
      let flow = Task {
        try await NavigationFlow(root: ShippingForm()) { address, proxy in
          try await proxy.show(Payment(address: address)).then { _, _ in throw Trouble() }
        }
      }
      try await scenario.answer("ShippingForm", "Hill Road")
      try await scenario.answer("Payment", "card")
      await #expect(throws: Trouble.self) { try await flow.value }
      #expect(try await scenario.host.open().isEmpty)
    }
  }

  @Test(arguments: Place.allCases) func `stacks a closure's alerts and flows on its screen`(place: Place) async throws {
    try await place.play { scenario in
      async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
        @Environment(\.showAlert) var showAlert
        let isSaved = try await showAlert(AlertState("Save?") { ButtonState("Yes", id: "yes", action: true) })
        let inner = try await NavigationFlow(root: Payment(address: address)) { _, inner in try await inner.finish() }
        scenario.note("\(isSaved) \(inner.lastAnswer ?? "none")")
        try await proxy.finish()
      }
      let root = try await scenario.showing("ShippingForm")
      let other = scenario.broker.submit(.alert("other"))
      try await scenario.presenter.answer("Hill Road", on: root)
      try await scenario.press("yes", on: "Save?")
      #expect(try await scenario.answer("Payment", "card").request.over == root.id)
      #expect(try await ended.result == .success("Hill Road"))
      #expect(scenario.notes == ["true card"])
      try await scenario.press("no", on: "other")
      #expect(try await other.resolved().outcome == .answered(.button("no")))
    }
  }

  @Test(arguments: Place.allCases) func `fails the flow when a screen is refused`(place: Place) async throws {
    try await place.play { scenario in
      async let ended = NavigationFlow(root: ShippingForm()) { _, proxy in
        await proxy.show(RefusedSheet()).then { _, _ in Issue.record("the closure ran") }
      }
      try await scenario.answer("ShippingForm", "Hill Road")
      guard case .failed(let why) = await ended.result.end else {
        Issue.record("the flow did not fail")
        return
      }
      #expect(why.hasPrefix("cannot accept /title"))
    }
  }

  @Test(arguments: Place.allCases)
  func `dismisses a closure's screen, or in the root's closure the flow`(place: Place) async throws {
    try await place.play { scenario in
      async let ended = NavigationFlow(root: ShippingForm()) { address, proxy in
        @Environment(\.dismiss) var dismiss
        let end = await proxy.show(Payment(address: address)).then { payment, _ in
          scenario.note("\(payment), \(String(describing: try? await dismiss.outcome()))")
          scenario.note(Task.isCancelled ? "cancelled" : "going on")
        }
        if case .failure(.cancelled(.requester)) = end { scenario.note("gone") }
        dismiss()
      }
      try await scenario.answer("ShippingForm", "Hill Road")
      let payment = try await scenario.answer("Payment", "card")
      #expect(await ended.result.end == .cancelled(.requester))
      #expect(
        scenario.notes == [
          "card, Optional(RouterCore.PresentationOutcome.cancelled(RouterCore.PresentationOutcome.CancellationReason.requester))",
          "going on", "gone",
        ])
      #expect(try await scenario.outcome(of: payment) == .cancelled(.requester))
    }
  }
}
