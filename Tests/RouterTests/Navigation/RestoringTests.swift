import Router
import RouterTesting
import Testing

/// Flows that begin in the middle.
@Suite(.timeLimit(.minutes(10)))
struct RestoringTests {
  private struct Secret: Sheet {
    struct Answer: Codable { var code: String }

    var form: Form<Answer>? { Form(Answer(code: "")) { SecureField("Code", \.code) } }
  }

  /// Runs a flow of three screens. Returns the answers.
  private func order(restoring path: FlowPath = FlowPath(), paths: @escaping @Sendable (FlowPath) -> Void) async throws
    -> [String]
  {
    try await navigate(from: AddressForm(), restoring: path) { address, proxy in
      try await proxy.show(Coupon(address: address)).then { coupon in
        try await proxy.show(Payment()).then { payment in
          paths(proxy.path)
          try await proxy.finish([address, coupon ?? "none", payment.rawValue])
        }
      }
    }
  }

  private func recordedPath(changing change: (inout FlowPath) -> Void = { _ in }) async throws -> FlowPath {
    let path = Shared(FlowPath())
    try await FlowScene.run { scene in
      async let order = order { new in path.withLock { $0 = new } }
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Coupon", "HALF")
      try await scene.answer("Payment", "card")
      #expect(try await order == ["Hill Road", "HALF", "card"])
    }
    var changed = path.withLock { $0 }
    change(&changed)
    return changed
  }

  @Test func `names the screens of a path, which survives JSON`() async throws {
    let path = try await recordedPath()
    #expect(path.sheets == ["AddressForm", "Coupon", "Payment"])
    #expect(try JSONValue(encoding: path).decode(FlowPath.self) == path)
  }

  @Test func `goes on at the first screen without an answer, and back from there`() async throws {
    let path = try await recordedPath { $0.screens[2].answer = nil }
    try await FlowScene.run { scene in
      async let restored = order(restoring: path) { scene.notes("\($0.sheets.count)") }
      let shown = try await scene.showing("Payment")
      try await scene.presenter.dismiss(shown)
      try await scene.answer("Coupon", .null)
      try await scene.answer("Payment", "invoice")
      #expect(try await restored == ["Hill Road", "none", "invoice"])
      #expect(
        try await scene.endings() == [
          "Payment dismissed", "Payment cancelled/parentEnded", "Coupon cancelled/parentEnded",
          "AddressForm cancelled/requester",
        ])
    }
  }

  @Test func `records an answer that a person gives to a restored root`() async throws {
    let path = try await recordedPath { $0.screens[1].answer = nil }
    try await FlowScene.run { scene in
      async let restored = order(restoring: path) { _ in }
      try await scene.back(from: "Coupon")
      try await scene.answer("AddressForm", "Mill Lane")
      try await scene.answer("Coupon", "HALF")
      try await scene.answer("Payment", "card")
      #expect(try await restored == ["Mill Lane", "HALF", "card"])
      #expect(try await scene.endings().last == "AddressForm answered")
    }
  }

  @Test func `ignores the rest of a path from a screen that differs`() async throws {
    let path = try await recordedPath { $0.screens[0].answer = "Mill Lane" }
    try await FlowScene.run { scene in
      async let restored = order(restoring: path) { _ in }
      // Its payload names another address.
      try await scene.answer("Coupon", "FREE")
      try await scene.answer("Payment", "card")
      #expect(try await restored == ["Mill Lane", "FREE", "card"])
    }
  }

  @Test func `asks again what cannot be read`() async throws {
    let path = try await recordedPath { $0.screens[2].answer = "cash" }
    try await FlowScene.run { scene in
      let restored = Task { try await order(restoring: path) { _ in } }
      let error = await #expect(throws: RouterError.self) { try await restored.value }
      #expect(error?.message == "cannot read the answer to the screen Payment as Answer")
    }
  }

  @Test func `keeps no answer to a sensitive sheet`() async throws {
    try await FlowScene.run { scene in
      let path = Shared(FlowPath())
      async let flow: Void = navigate(from: Secret()) { secret, proxy in
        path.withLock { $0 = proxy.path }
        try await proxy.finish()
      }
      try await scene.answer("Secret", ["code": "1234"])
      try await flow
      #expect(path.withLock { $0.sheets } == ["Secret"])
      #expect(try JSONValue(encoding: path.withLock { $0 }).description.contains("1234") == false)
    }
  }

  /// A model whose flow changes it without a hop that the user writes.
  @MainActor
  private final class Model {
    var address = ""
    var payments: [Payment.Answer] = []

    func order() async throws {
      try await navigate(from: AddressForm()) { address, proxy in
        self.address = address
        try await proxy.show(Payment()).then { payment in
          self.payments.append(payment)
          MainActor.assertIsolated()
          try await proxy.finish()
        }
      }
    }
  }

  @Test func `runs closures on the actor of the code that starts the flow`() async throws {
    try await FlowScene.run { scene in
      let model = Model()
      async let ordered: Void = model.order()
      try await scene.answer("AddressForm", "Hill Road")
      try await scene.answer("Payment", "card")
      try await ordered
      #expect(await model.address == "Hill Road")
      #expect(await model.payments == [.card])
    }
  }
}
