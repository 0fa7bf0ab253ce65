import Router
import RouterCompatibility
import RouterTesting
import Testing

/// Navigation through a flow: forward, back, branches, back to the root.
@Suite(.timeLimit(.minutes(10)))
struct NavigationFlowTests {
  @Test func `the library page's flow works as written`() async throws {
    try await FlowScene.run { scene in
      async let flow: Void = {
        await NavigationFlow(root: AddressForm()) { address, proxy in
          await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
        }
      }()
      try await scene.answer("AddressForm", "Hill Road")
      let done = try await scene.answer("Done")
      #expect(done.request.payload == ["address": "Hill Road"])
      #expect(done.request.flow)
      let root = try await scene.back(from: "AddressForm")
      #expect(done.request.over == root.id)
      await flow
      #expect(try await scene.endings() == ["Done cancelled/requester", "AddressForm dismissed"])
    }
  }

  @Test func `runs the closure again for an answer given after Back`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        scene.notes("address \(address)")
        let end = await proxy.show(Done(address)).then { _, _ in scene.notes("done") }
        #expect(end.end == .dismissed)
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.back(from: "Done")
      try await scene.answer("AddressForm", "Mill Lane")
      #expect(try await scene.back(from: "Done").request.payload == ["address": "Mill Lane"])
      try await scene.back(from: "AddressForm")
      let flow = await ended
      #expect(flow.result.end == .dismissed)
      #expect(flow.lastAnswer == "Mill Lane")
      #expect(scene.notes.all == ["address Hill Road", "address Mill Lane"])
    }
  }

  @Test func `cancels and awaits a running closure before the next one starts`() async throws {
    try await FlowScene.run { scene in
      let gate = Gate()
      async let ended = NavigationFlow(root: AddressForm()) { address, _ in
        scene.notes("begin \(address)")
        if address == "first" {
          await untilCancelled()
          scene.notes("cancelled \(address)")
          await gate.pass()
        }
        scene.notes("end \(address)")
      }
      try await scene.answer("AddressForm", "first")
      await scene.notes.wait(for: "begin first")
      try await scene.answer("AddressForm", "second", again: true)
      await scene.notes.wait(for: "cancelled first")
      #expect(scene.notes.all == ["begin first", "cancelled first"])
      gate.open()
      await scene.notes.wait(for: "end second")
      try await scene.back(from: "AddressForm", again: true)
      #expect(await ended.lastAnswer == "second")
      #expect(scene.notes.all == ["begin first", "cancelled first", "end first", "begin second", "end second"])
    }
  }

  @Test func `popToRoot ends all screens at once, deepest first`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Coupon(address: address)).then { _, _ in
          await proxy.show(Payment()).then { _, _ in
            await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
          }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Payment", "card")
      try await scene.answer("Done")
      #expect(try await scene.events(4) == ["- Done 1 answered", "Done 2", "- Done 2 cancelled", "AddressForm 3"])
      try await scene.presenter.dismiss(try scene.last("AddressForm"))
      #expect(await ended.result.end == .dismissed)
      #expect(
        try await scene.endings() == [
          "Done cancelled/parentEnded", "Payment cancelled/parentEnded", "Coupon cancelled/requester", "AddressForm dismissed",
        ])
    }
  }

  @Test func `pop removes one screen, pop(to:) those above a screen, and the root stays`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        if address == "again" { return proxy.pop() }
        await proxy.show(Coupon(address: address)).then { coupon, couponScreen in
          #expect(proxy.top == couponScreen && proxy.root != couponScreen)
          await proxy.show(Payment()).then { payment, paymentScreen in
            if payment == .invoice { return proxy.pop() }
            await proxy.show(Done(address)).then { _, _ in
              proxy.pop(to: couponScreen)
              // Both are gone. Popping to a removed screen does nothing.
              proxy.pop(to: paymentScreen)
            }
          }
          if coupon == "last" { proxy.popToRoot() }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      try await scene.answer("Payment", "card")
      try await scene.answer("Done")
      try await scene.answer("Coupon", "last")
      try await scene.answer("Payment", "invoice")
      try await scene.answer("AddressForm", "again")
      try await scene.back(from: "AddressForm", again: true)
      #expect(await ended.result.end == .dismissed)
      #expect(
        try await scene.endings() == [
          "Done cancelled/parentEnded", "Payment cancelled/requester", "Payment cancelled/requester",
          "Coupon cancelled/requester", "AddressForm dismissed",
        ])
    }
  }

  @Test func `replaces the top screen, and Back leads below both`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        let end = await proxy.show(Coupon(address: address)).then { _, _ in
          let end = await proxy.show(Payment()).thenReplacingTop { _, _ in }
          #expect(end.end == .dismissed)
          scene.notes("payment left, \(Task.isCancelled ? "cancelled" : "going on")")
        }
        guard case .cancelled(.superseded) = end.end else {
          Issue.record("the replaced screen ended as \(end)")
          return
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", .null)
      // The screen below is not shown in between.
      #expect(try await scene.events(4) == ["- Coupon 1 answered", "Coupon 2", "- Coupon 2 cancelled", "Payment 1"])
      try await scene.presenter.dismiss(try scene.last("Payment"))
      await scene.notes.wait(for: "payment left, going on")
      try await scene.back(from: "AddressForm")
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `shows a screen on the root instead of replacing the root`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        await proxy.show(Done(address)).thenReplacingTop { _, _ in }
      }
      try await scene.answer("AddressForm", "Hill Road")
      let done = try await scene.back(from: "Done")
      let root = try await scene.back(from: "AddressForm")
      #expect(done.request.over == root.id)
      #expect(await ended.result.end == .dismissed)
    }
  }

  @Test func `supports a root without an answer and a screen with an optional one`() async throws {
    try await FlowScene.run { scene in
      async let ended = NavigationFlow(root: Done("Hill Road")) { proxy in
        await proxy.show(Coupon(address: "")).then { coupon, _ in scene.notes("coupon \(coupon ?? "none")") }
      }
      try await scene.answer("Done")
      try await scene.answer("Coupon", .null)
      await scene.notes.wait(for: "coupon none")
      try await scene.back(from: "Coupon", again: true)
      try await scene.back(from: "Done")
      guard case .dismissed = await ended.result.end else { return fail("the flow was not left") }
      #expect(await ended.lastAnswer != nil)
    }
  }

  @Test func `supports composition, branches and a loop`() async throws {
    try await FlowScene.run { scene in
      @Sendable func pay(_ address: String, _ proxy: NavigationProxy) async {
        await proxy.show(Payment()).then { payment, _ in
          switch payment {
          case .card: await proxy.show(Done("card")).then { _, _ in proxy.popToRoot() }
          case .invoice: await proxy.show(AddressForm()).then { billing, _ in await finish(billing, proxy) }
          }
        }
      }
      @Sendable func finish(_ billing: String, _ proxy: NavigationProxy) async {
        await proxy.show(Done(billing)).then { _, _ in proxy.popToRoot() }
      }
      async let ended = NavigationFlow(root: AddressForm()) { address, proxy in
        var coupons = 0
        while coupons < 2, !Task.isCancelled {
          await proxy.show(Coupon(address: address)).then { _, screen in proxy.pop() }
          coupons += 1
        }
        await pay(address, proxy)
      }
      for address in ["Hill Road", "Mill Lane"] {
        try await scene.answer("AddressForm", .string(address))
        try await scene.answer("Coupon", "A")
        try await scene.answer("Coupon", "B")
        try await scene.answer("Payment", "invoice")
        try await scene.back(from: "AddressForm")
        try await scene.answer("Payment", "card")
        try await scene.back(from: "Done")
        try await scene.answer("Payment", "invoice")
        try await scene.answer("AddressForm", "Bank Street")
        #expect(try await scene.answer("Done").request.payload == ["address": "Bank Street"])
      }
      try await scene.back(from: "AddressForm")
      #expect(await ended.lastAnswer == "Mill Lane")
    }
  }
}

/// Records an issue.
func fail(_ what: String) {
  Issue.record("\(what)")
}
