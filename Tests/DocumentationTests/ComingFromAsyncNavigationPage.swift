import Router
import RouterCompatibility
import RouterTesting
import Testing

private struct Address: Codable, Sendable, Hashable {
  var street: String
}

private struct Cart: Codable, Sendable, Hashable {
  var books: Int

  var isFree: Bool { books == 0 }
}

private struct CartSheet: Sheet {
  typealias Answer = Cart
}

private struct PickAddress: Sheet {
  typealias Answer = Address
  var recent: [Address]

  init(recent: [Address]) {
    self.recent = recent
  }
}

private struct AddressForm: Sheet {
  typealias Answer = Address
}

private struct PickPayment: Sheet {
  enum Answer: String, Codable { case card, invoice }
}

private struct CardDetails: Sheet {
  typealias Answer = String
}

private struct Summary: Sheet {
  var shipping: Address
}

private struct Done: Sheet {
  var address: Address

  init(_ address: Address) {
    self.address = address
  }
}

private struct Captcha: Sheet {}

private struct AddressScreen {
  @Environment(\.run) private var run

  func pickAddress(from recents: [Address]) async throws -> Address {
    try await run(PickAddress(recent: recents))
  }
}

private struct OrderFlow: Sendable {
  let cart: Cart
  let proxy: NavigationProxy

  func run() async throws {
    try await proxy.show(AddressForm()).then { shipping, _ in
      if cart.isFree { try await summarize(shipping) } else { try await pay(shipping) }
    }
  }

  func pay(_ shipping: Address) async throws {
    try await proxy.show(PickPayment()).then { method, paymentScreen in
      switch method {
      case .invoice: try await summarize(shipping)
      case .card:
        try await proxy.show(CardDetails()).then { card, _ in
          guard await isValid(card) else { return proxy.pop(to: paymentScreen) }
          try await summarize(shipping)
        }
      }
    }
  }

  func summarize(_ shipping: Address) async throws {
    try await proxy.show(Summary(shipping: shipping)).then { _, _ in try await proxy.finish() }
  }
}

private func isValid(_ card: String) async -> Bool { card.hasPrefix("4") }

private func order() async throws -> Int {
  var shipped = 0
  func ship(_ cart: Cart) { shipped += cart.books }
  let flow = try await NavigationFlow(root: CartSheet()) { cart, proxy in
    try await OrderFlow(cart: cart, proxy: proxy).run()
  }
  if case .success(let cart) = flow.result { ship(cart) }
  return shipped
}

@Suite(.timeLimit(.minutes(10)))
struct ComingFromAsyncNavigationPageTests {
  private let recents = [Address(street: "Hill Road")]

  /// Returns the next showing of a sheet, skipping other sheets.
  private func next(_ sheet: String, at presenter: TestPresenter) async throws -> Presentation {
    while true {
      let shown = try await presenter.nextPresentation()
      if shown.request.sheet == sheet { return shown }
    }
  }

  @Test func `runs a child, at once or started and awaited later`() async throws {
    func shippingRates() async throws -> Int { 5 }
    try await withTestRouter { router in
      @Environment(\.run) var run
      _ = router.presenter(script: [.answer(["street": "Mill Lane"]), .answer(["street": "Bank Street"])])
      #expect(try await AddressScreen().pickAddress(from: recents).street == "Mill Lane")
      let child = try run.start(PickAddress(recent: recents))
      let rates = try await shippingRates()
      let address = try await child.firstValue()
      #expect((rates, address.street) == (5, "Bank Street"))
    }
  }

  @Test func `runs the article's first flow`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let flow = Task {
        await NavigationFlow(root: AddressForm()) { address, proxy in
          await proxy.show(Done(address)).then { _, _ in proxy.popToRoot() }
        }
      }
      try await presenter.answer(["street": "Hill Road"], on: try await presenter.nextPresentation())
      try await presenter.answer([:], on: try await next("Done", at: presenter))
      try await presenter.dismiss(try await next("AddressForm", at: presenter))
      #expect(await flow.value.lastAnswer == recents[0])
    }
  }

  @Test func `a flow returns what it makes`() async throws {
    struct Order: Equatable {
      var cart: Cart
      var method: PickPayment.Answer
    }
    try await withTestRouter { router in
      let presenter = router.presenter()
      let ordering = Task {
        let order = try await navigate(from: CartSheet()) { cart, proxy in
          try await proxy.show(PickPayment()).then { method, _ in
            try await proxy.finish(Order(cart: cart, method: method))
          }
        }
        return order
      }
      try await presenter.answer(["books": 2], on: try await presenter.nextPresentation())
      try await presenter.answer("invoice", on: try await next("PickPayment", at: presenter))
      #expect(try await ordering.value.method == .invoice)
    }
  }

  @Test func `reports Back from a screen as dismissed`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let flow = Task {
        await NavigationFlow(root: AddressForm()) { _, proxy in
          await proxy.show(PickPayment()).then { _, _ in
            let end = await proxy.show(Captcha()).then { _, _ in proxy.pop() }
            if case .failure(.dismissed) = end { proxy.popToRoot() }
          }
        }
      }
      try await presenter.answer(["street": "Hill Road"], on: try await presenter.nextPresentation())
      try await presenter.answer("card", on: try await next("PickPayment", at: presenter))
      try await presenter.dismiss(try await next("Captcha", at: presenter))
      try await presenter.dismiss(try await next("AddressForm", at: presenter))
      #expect(await flow.value.result == .failure(.dismissed))
    }
  }

  @Test func `drives a whole order with a test presenter`() async throws {
    try await withTestRouter { coordinator in
      let presenter = TestPresenter(coordinator)
      let ordering = Task { try await order() }
      try await presenter.answer(["books": 2], on: try await presenter.nextPresentation())
      var shown = try await presenter.nextPresentation()
      while shown.request.sheet != "AddressForm" { shown = try await presenter.nextPresentation() }
      try await presenter.dismiss(shown)  // Back
      try await presenter.answer(["books": 3], on: try await next("CartSheet", at: presenter))
      try await presenter.answer(["street": "Hill Road"], on: try await next("AddressForm", at: presenter))
      try await presenter.answer("card", on: try await next("PickPayment", at: presenter))
      try await presenter.answer("1234", on: try await next("CardDetails", at: presenter))
      // The payment screen is shown again after its answer, and once more when the wrong card is popped.
      shown = try await next("PickPayment", at: presenter)
      while shown.generation < 3 { shown = try await next("PickPayment", at: presenter) }
      try await presenter.answer("invoice", on: shown)
      try await presenter.answer([:], on: try await next("Summary", at: presenter))
      #expect(try await ordering.value == 3)
    }
  }
}
