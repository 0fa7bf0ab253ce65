import Router
import RouterClient
import RouterTesting
import Testing

/// `NavigationFlow`, over the coordinator of this process and over a real daemon: its closures cannot tell which it is.
@Suite(.timeLimit(.minutes(2)))
struct FlowBehaviourTests {
  struct Address: Sheet {
    typealias Answer = String
  }

  struct Payment: Sheet {
    typealias Answer = String
    var address: String
  }

  struct Done: Sheet {
    var address: String
  }

  struct Refused: Sheet {
    var sheetTitle: TextState? { "two\nlines" }
  }

  struct Trouble: Error {}

  @Test(.timeLimit(.minutes(60)), arguments: Place.allCases)
  func `on, back, a change of mind, back to the root`(place: Place) async throws {
    for repetition in 1...Stage.repetitions {
      try await place.play { stage in
        async let ended = NavigationFlow(root: Address()) { address, proxy in
          stage.note(address)
          await proxy.show(Payment(address: address)).then { payment, _ in
            stage.note(payment)
            await proxy.show(Done(address: address)).then { _, _ in proxy.popToRoot() }
          }
        }
        var told: [String] = []
        for (steps, name, value) in [
          (1, "Address", "Hill Road"), (4, "Payment", "card"), (4, "Done", nil), (2, "Payment", nil),
          (2, "Address", "Mill Lane"), (4, "Payment", "invoice"), (4, "Done", true), (4, "Address", nil),
        ] as [(Int, String, JSONValue?)] {
          told += try await stage.events(steps)
          let shown = try stage.last(name)
          if let value {
            try await stage.presenter.answer(value, on: shown)
          } else {
            try await stage.presenter.dismiss(shown)
          }
        }
        told.append(try await stage.event())
        let flow = await ended
        #expect(flow.outcome == .dismissed)
        #expect(flow.lastAnswer == "Mill Lane")
        #expect(stage.notes == ["Hill Road", "card", "Mill Lane", "invoice"])
        #expect(
          told == [
            "Address 1", "- Address 1 answered", "Address 2", "- Address 2 covered", "Payment 1", "- Payment 1 answered",
            "Payment 2", "- Payment 2 covered", "Done 1", "- Done 1 dismissed", "Payment 3", "- Payment 3 dismissed",
            "Address 3", "- Address 3 answered", "Address 4", "- Address 4 covered", "Payment 1", "- Payment 1 answered",
            "Payment 2", "- Payment 2 covered", "Done 1", "- Done 1 answered", "Done 2", "- Done 2 cancelled", "Address 5",
            "- Address 5 dismissed",
          ], "repetition \(repetition)")
        #expect(try await stage.outcome(of: try stage.last("Done")) == .cancelled(.parentEnded))
        #expect(try await stage.outcome(of: try stage.last("Payment")) == .cancelled(.requester))
      }
    }
  }

  @Test(.timeLimit(.minutes(60)), arguments: Place.allCases)
  func `re-entry: a closure at work gives way to the next`(place: Place) async throws {
    for repetition in 1...Stage.repetitions {
      try await place.play { stage in
        async let ended = NavigationFlow(root: Address()) { address, proxy in
          stage.note("begin \(address)")
          guard address == "3" else {
            await untilCancelled()
            return stage.note("end \(address)")
          }
          try await proxy.show(Done(address: address)).then { _, _ in try await proxy.finish() }
        }
        for number in 1...3 {
          _ = try await stage.events(number == 1 ? 1 : 2)
          try await stage.presenter.answer(.string("\(number)"), on: try stage.last("Address"))
          await stage.wait(for: "begin \(number)")
        }
        try await stage.answer("Done")
        #expect(try await ended.outcome == .answered("3"), "repetition \(repetition)")
        #expect(stage.notes == ["begin 1", "end 1", "begin 2", "end 2", "begin 3"], "repetition \(repetition)")
        #expect(try await stage.outcome(of: try stage.last("Address")) == .answered(.value("3")))
      }
    }
  }

  @Test(arguments: Place.allCases) func `a screen in the place of another, and a pop`(place: Place) async throws {
    try await place.play { stage in
      async let ended = NavigationFlow(root: Address()) { address, proxy in
        let end = await proxy.show(Payment(address: address)).then { payment, paymentScreen in
          await proxy.show(Done(address: payment)).thenReplacingTop { _, done in
            await proxy.show(Address()).then { _, _ in proxy.pop(to: done) }
            stage.note(Task.isCancelled ? "cancelled" : "back on done")
            proxy.pop()
          }
        }
        if case .cancelled(.superseded) = end { stage.note("superseded") }
      }
      try await stage.answer("Address", "Hill Road")
      try await stage.answer("Payment", "card")
      let root = try stage.last("Address")
      #expect(try await stage.events(4) == ["- Payment 1 answered", "Payment 2", "- Payment 2 cancelled", "Done 1"])
      let done = try stage.last("Done")
      #expect(done.request.over == root.id)
      try await stage.presenter.answer(true, on: done)
      #expect(try await stage.answer("Address", "Bank Street").request.over == done.id)
      await stage.wait(for: "back on done")
      await stage.wait(for: "superseded")
      let shown = try await stage.showing("Address")
      #expect(shown.id == root.id)
      try await stage.presenter.dismiss(shown)
      #expect(await ended.outcome == .dismissed)
      #expect(try await stage.outcome(of: try stage.last("Payment")) == .cancelled(.superseded))
    }
  }

  @Test(arguments: Place.allCases)
  func `cancelling the task takes everything away at once, and waits for it`(place: Place) async throws {
    try await place.play { stage in
      let flow = Task {
        await NavigationFlow(root: Address()) { address, proxy in
          await proxy.show(Payment(address: address)).then { _, _ in
            await proxy.show(Done(address: address)).then { _, _ in
              stage.note("begin")
              await untilCancelled()
              stage.note("innermost")
            }
          }
          stage.note("outer")
        }
      }
      try await stage.answer("Address", "Hill Road")
      try await stage.answer("Payment", "card")
      try await stage.answer("Done")
      await stage.wait(for: "begin")
      let other = stage.broker.submit(.alert("other"))
      _ = try await other.accepted()
      _ = try await stage.events(2)
      flow.cancel()
      #expect(await flow.value.outcome == .cancelled(.requester))
      #expect(stage.notes == ["begin", "innermost", "outer"])
      #expect(try await stage.events(2) == ["- Done 2 cancelled", "other 1"])
      try await stage.presenter.press("yes", on: try stage.last("other"))
      #expect(try await other.resolved().outcome == .answered(.button("yes")))
    }
  }

  @Test(arguments: Place.allCases) func `a thrown error ends it when all is taken away`(place: Place) async throws {
    try await place.play { stage in
      let flow = Task {
        try await NavigationFlow(root: Address()) { address, proxy in
          try await proxy.show(Payment(address: address)).then { _, _ in throw Trouble() }
        }
      }
      try await stage.answer("Address", "Hill Road")
      try await stage.answer("Payment", "card")
      await #expect(throws: Trouble.self) { try await flow.value }
      #expect(try await stage.openCount == 0)
    }
  }

  @Test(arguments: Place.allCases) func `alerts and flows of a closure stand on its screen`(place: Place) async throws {
    try await place.play { stage in
      async let ended = NavigationFlow(root: Address()) { address, proxy in
        @Environment(\.showAlert) var showAlert
        let isSaved = try await showAlert(AlertState("Save?") { ButtonState("Yes", id: "yes", action: true) })
        let inner = try await NavigationFlow(root: Payment(address: address)) { _, inner in try await inner.finish() }
        stage.note("\(isSaved) \(inner.lastAnswer ?? "none")")
        try await proxy.finish()
      }
      let root = try await stage.showing("Address")
      let other = stage.broker.submit(.alert("other"))
      try await stage.presenter.answer("Hill Road", on: root)
      try await stage.press("yes", on: "Save?")
      #expect(try await stage.answer("Payment", "card").request.over == root.id)
      #expect(try await ended.outcome == .answered("Hill Road"))
      #expect(stage.notes == ["true card"])
      try await stage.press("no", on: "other")
      #expect(try await other.resolved().outcome == .answered(.button("no")))
    }
  }

  @Test(arguments: Place.allCases) func `a screen that is refused ends the flow as failed`(place: Place) async throws {
    try await place.play { stage in
      async let ended = NavigationFlow(root: Address()) { _, proxy in
        await proxy.show(Refused()).then { _, _ in Issue.record("the closure ran") }
      }
      try await stage.answer("Address", "Hill Road")
      guard case .failed(let why) = await ended.outcome else {
        Issue.record("the flow did not fail")
        return
      }
      #expect(why.hasPrefix("cannot accept /title"))
    }
  }
}
