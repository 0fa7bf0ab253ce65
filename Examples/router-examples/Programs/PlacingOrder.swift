import ArgumentParser
import Router
import RouterCompatibility

/// `router-examples order`: a flow that branches and can go back.
struct PlacingOrder: Example {
  static let configuration = CommandConfiguration(
    commandName: "order", abstract: "Order books, with a coupon or without, and pay for them in one way or another.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let cart = Cart()
    let book = AddressBook()
    let flow = try await NavigationFlow(root: CartSheet(cart: cart)) { quantities, proxy in
      try await OrderFlow(cart: cart.with(quantities), book: book, proxy: proxy).run()
    }
    print(flow.result == .failure(.dismissed) ? "Nothing was ordered." : "Thank you.")
  }

  private static let shipping: ScriptedPresenter.Step = .fill(
    "Shipping address", ["name": "Alan Turing", "street": "2 Warrington Crescent", "city": "London"])

  /// Enters a wrong coupon, changes the payment, cancels the order, then enters a coupon that leaves nothing to pay.
  static let script: [ScriptedPresenter.Step] = [
    .fill("Your cart", ["swift": 2, "unix": 1]),
    shipping,
    .press("save", on: "Save this address?"),
    .fill("Coupon", ["code": "NONE"]),
    .press("ok", on: "There is no coupon NONE."),
    .fill("Coupon", ["code": "HALF"]),
    .fill("Payment", ["method": .string(PaymentMethod.invoice.rawValue)]),
    .close("Summary"),
    .fill("Payment", ["method": .string(PaymentMethod.card.rawValue)]),
    .fill("Billing address", ["name": "Alan Turing", "street": "43 Adlington Road", "city": "Wilmslow"]),
    .fill("Card details", ["holder": "Alan Turing", "number": "4000000000000002"]),
    .fill("Summary", ["decision": .string(SummarySheet.Decision.cancel.rawValue)]),
    .fill("Your cart", ["swift": 1, "unix": 0]),
    shipping,
    .fill("Coupon", ["code": "FREE"]),
    .fill("Summary", ["decision": .string(SummarySheet.Decision.place.rawValue)]),
  ]
}

/// The screens after the cart. Each function shows one screen and decides which comes next.
struct OrderFlow: Sendable {
  let cart: Cart
  let book: AddressBook
  let proxy: NavigationProxy

  @Environment(\.showAlert) private var showAlert

  func run() async throws {
    try await proxy.show(AddressForm(title: "Shipping address")).then { shipping, _ in
      // Closing the alert returns to the form.
      if await book.offerToSave(shipping) { try await addCoupon(shipping) }
    }
  }

  private func addCoupon(_ shipping: Address) async throws {
    try await proxy.show(CouponSheet(total: cart.total(with: nil))).then { entered, _ in
      let coupon = Coupon.known.first { $0.code == entered.code }
      if let code = entered.code, !code.isEmpty, coupon == nil {
        try await showAlert(AlertState("There is no coupon \(code)."))
      } else if cart.total(with: coupon) == Money(cents: 0) {
        try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: .free))
      } else {
        try await pay(shipping, coupon)
      }
    }
  }

  private func pay(_ shipping: Address, _ coupon: Coupon?) async throws {
    try await proxy.show(PaymentSheet()).then { chosen, _ in
      switch chosen.method {
      case .invoice:
        try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: .invoice))
      case .card:
        try await proxy.show(AddressForm(title: "Billing address", draft: shipping)).then { billing, _ in
          try await proxy.show(CardSheet(holder: billing.name)).then { card, _ in
            let payment = Payment.card(endingIn: String(card.number.suffix(4)), billing: billing)
            try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: payment))
          }
        }
      }
    }
  }

  private func summarize(_ order: Order) async throws {
    try await proxy.show(SummarySheet(order: order)).then { answer, _ in
      switch answer.decision {
      case .place:
        try await proxy.finish()
        print("Ordered for \(order.total), to \(order.shipping).")
      case .cancel:
        print("The order over \(order.total) is cancelled.")
        proxy.popToRoot()
      }
    }
  }
}
