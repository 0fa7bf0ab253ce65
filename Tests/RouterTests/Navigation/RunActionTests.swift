import Router
import RouterCompatibility
import RouterTesting
import Testing

/// Children in the style of async navigation.
@Suite(.timeLimit(.minutes(10)))
struct RunActionTests {
  struct Screen: Sendable {
    let run = Environment(\.run)
  }

  @Test func `returns a child's first value, twice in a row`() async throws {
    try await FlowScene.run { scene in
      let run = Screen().run.wrappedValue
      for address in ["Hill Road", "Mill Lane"] {
        async let value = run(AddressForm())
        try await scene.answer("AddressForm", .string(address))
        #expect(try await value == address)
      }
      async let closed: Void = run(Done("Hill Road"))
      try await scene.back(from: "Done")
      try await closed
    }
  }

  @Test func `throws on dismissal and on cancellation`() async throws {
    try await FlowScene.run { scene in
      let run = Screen().run.wrappedValue
      let left = Task { try await run(AddressForm()) }
      try await scene.back(from: "AddressForm")
      await #expect(throws: NoAnswer.dismissed) { _ = try await left.value }
      let cancelled = Task { try await run(AddressForm()) }
      _ = try await scene.showing("AddressForm")
      cancelled.cancel()
      await #expect(throws: NoAnswer.cancelled(.requester)) { _ = try await cancelled.value }
    }
  }

  @Test func `keeps a first value that arrives before anyone listens`() async throws {
    try await FlowScene.run { scene in
      let child = try Screen().run.wrappedValue.start(AddressForm())
      try await scene.answer("AddressForm", "Hill Road")
      #expect(try await scene.event() == "- AddressForm 1 answered")
      #expect(try await child.firstValue() == "Hill Road")
      #expect(try await child.firstValue() == "Hill Road")

      let closed = try Screen().run.wrappedValue.start(Done("Hill Road"))
      try await scene.back(from: "Done")
      try await closed.firstValue()

      let cancelled = try Screen().run.wrappedValue.start(AddressForm())
      cancelled.cancel()
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await cancelled.firstValue() }
    }
  }

  @Test func `passes each value of a sheet that stays, until the person closes it`() async throws {
    try await FlowScene.run { scene in
      let run = Screen().run.wrappedValue
      async let values: [String] = {
        var values: [String] = []
        for try await value in try run.values(of: AddressForm()) {
          values.append(value)
          scene.notes(value)
        }
        return values
      }()
      for address in ["Hill Road", "Mill Lane"] {
        try await scene.answer("AddressForm", .string(address), again: true)
        await scene.notes.wait(for: address)
      }
      try await scene.back(from: "AddressForm", again: true)
      #expect(try await values == ["Hill Road", "Mill Lane"])
    }
  }

  @Test func `removes the sheet when its reader leaves, and throws how else it ended`() async throws {
    try await FlowScene.run { scene in
      let run = Screen().run.wrappedValue
      let first = Task {
        for try await value in try run.values(of: AddressForm()) { return value }
        return "none"
      }
      try await scene.answer("AddressForm", "Hill Road")
      #expect(try await first.value == "Hill Road")
      while await scene.coordinator.openCount > 0 { _ = try await scene.event() }

      let second = Task { for try await _ in try run.values(of: AddressForm()) {} }
      _ = try await scene.coordinator.cancel(try await scene.showing("AddressForm").id)
      await #expect(throws: NoAnswer.cancelled(.requester)) { try await second.value }
    }
  }

  @Test func `throws without an injected broker`() async {
    let run = Screen().run.wrappedValue
    #expect(await #expect(throws: RouterError.self) { _ = try await run(AddressForm()) }?.code == .notInjected)
    #expect(#expect(throws: RouterError.self) { _ = try run.start(AddressForm()) }?.code == .notInjected)
  }

  @Test func `shows a child on a flow's top screen, from the proxy and from the action`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let coupon = try await proxy.run(Coupon(address: address))
        let other = try await Screen().run.wrappedValue(Coupon(address: coupon ?? "none"))
        scene.notes(other ?? "none")
        try await proxy.finish()
      }
      let root = try await scene.answer("AddressForm", "Hill Road")
      let first = try await scene.answer("Coupon", "A")
      let second = try await scene.answer("Coupon", "B")
      #expect(second.request.payload == ["address": "A"])
      for coupon in [first, second] {
        #expect(coupon.request.over == root.id)
        #expect(!coupon.request.flow)
      }
      #expect(try await ended.result == .success("Hill Road"))
      #expect(scene.notes.all == ["B"])
    }
  }
}
