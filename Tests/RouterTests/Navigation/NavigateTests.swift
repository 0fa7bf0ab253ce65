import Router
import RouterCompatibility
import RouterTesting
import Testing

/// A flow with a result, and nodes that compose.
@Suite(.timeLimit(.minutes(10)))
struct NavigateTests {
  private struct Order: Sendable, Equatable {
    var address: String
    var payment: Payment.Answer
  }

  private struct Trouble: Error, Equatable {}

  /// As a user writes it.
  private func order() async throws -> Order {
    try await navigate(from: AddressForm()) { address, proxy in
      try await proxy.show(Payment()).then { payment, _ in
        try await proxy.finish(Order(address: address, payment: payment))
      }
    }
  }

  @Test func `a flow returns what its last screen made`() async throws {
    try await FlowScene.run { scene in
      async let order = order()
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Payment", "card")
      #expect(try await order == Order(address: "Hill Road", payment: .card))
      #expect(try await scene.endings() == ["Payment cancelled/parentEnded", "AddressForm answered"])
    }
  }

  @Test func `the type of the result follows from finish`() async throws {
    try await FlowScene.run { scene in
      let ordering = Task {
        let result = try await navigate(from: AddressForm()) { address, proxy in
          scene.notes(address)
          try await proxy.finish(address.count)
        }
        return result
      }
      try await scene.answer("AddressForm", "Hill Road")
      #expect(try await ordering.value == 9)
    }
  }

  @Test func `leaving at the root throws, and so does an error of the closure`() async throws {
    try await FlowScene.run { scene in
      let left = Task { try await order() }
      try await scene.back(from: "AddressForm")
      await #expect(throws: NoAnswer.dismissed) { try await left.value }
      let thrown = Task { try await navigate(from: Done("Hill Road")) { (_: FlowProxy<Int>) in throw Trouble() } }
      try await scene.answer("Done")
      await #expect(throws: Trouble()) { try await thrown.value }
    }
  }

  @Test func `without a broker it throws what is missing`() async {
    let error = await #expect(throws: RouterError.self) { _ = try await order() }
    #expect(error?.code == .notInjected)
  }

  @Test func `a screen after a screen is one node, with an answer made of both`() async throws {
    try await FlowScene.run { scene in
      let ordering = Task {
        try await navigate(from: AddressForm()) { (address, proxy: FlowProxy<String>) in
          let paid: NavigationNode<String> = proxy.show(Coupon(address: address)).flatMap { (coupon: String?) in
            proxy.show(Payment()).map { (payment: Payment.Answer) in "\(coupon ?? "no coupon"), \(payment.rawValue)" }
          }
          let end = try await paid.then { answer, _ in
            scene.notes(answer)
            try await proxy.finish(answer)
          }
          scene.notes("\(end)")
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", "HALF")
      try await scene.back(from: "Payment")
      try await scene.answer("Coupon", .null, again: true)
      try await scene.answer("Payment", "invoice")
      #expect(try await ordering.value == "no coupon, invoice")
      #expect(scene.notes.all.first == "no coupon, invoice")
    }
  }

  @Test func `an error of a composed node's closure comes out of it`() async throws {
    try await FlowScene.run { scene in
      let flow = Task {
        try await NavigationFlow(root: AddressForm()) { address, proxy in
          let node = proxy.show(Coupon(address: address)).flatMap { _ in proxy.show(Payment()) }
          try await node.then { _, _ in throw Trouble() }
        }
      }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", "HALF")
      try await scene.answer("Payment", "card")
      await #expect(throws: Trouble()) { try await flow.value }
    }
  }
}
