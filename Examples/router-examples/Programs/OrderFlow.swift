import ArgumentParser
import Router

/// The screens after the cart. Each function shows one screen and decides which comes next.
struct OrderFlow: Sendable {
  let cart: Cart
  let book: AddressBook
  let proxy: FlowProxy<Order>

  @Environment(\.showAlert) private var showAlert

  func run() async throws {
    try await proxy.show(AddressForm(title: "Shipping address")).then { shipping in
      // Closing the alert returns to the form.
      if await book.offerToSave(shipping) { try await addCoupon(shipping) }
    }
  }

  private func addCoupon(_ shipping: Address) async throws {
    try await proxy.show(CouponSheet(total: cart.total(with: nil))).then { entered in
      let coupon = Coupon.known.first { $0.code == entered.code }
      if let code = entered.code, coupon == nil {
        try await showAlert(AlertState("There is no coupon \(code)."))
      } else if cart.total(with: coupon) == Money(cents: 0) {
        try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: .free))
      } else {
        try await pay(shipping, coupon)
      }
    }
  }

  private func pay(_ shipping: Address, _ coupon: Coupon?) async throws {
    try await proxy.show(PaymentSheet()).then { chosen in
      switch chosen.method {
      case .invoice:
        try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: .invoice))
      case .card:
        try await proxy.show(AddressForm(title: "Billing address", draft: shipping)).then { billing in
          try await proxy.show(CardSheet(holder: billing.name)).then { card in
            let payment = Payment.card(endingIn: String(card.number.suffix(4)), billing: billing)
            try await summarize(Order(cart: cart, coupon: coupon, shipping: shipping, payment: payment))
          }
        }
      }
    }
  }

  private func summarize(_ order: Order) async throws {
    try await proxy.show(SummarySheet(order: order)).then { answer in
      switch answer.decision {
      case .place: try await proxy.finish(order)
      case .startOver: proxy.popToRoot()
      }
    }
  }
}

/// `router-examples order-flow`: async navigation.
struct PlacingOrder: Example {
  static let configuration = CommandConfiguration(
    commandName: "order-flow", abstract: "Order books, with a coupon or without, and pay by card or by invoice.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let order = try await order(Cart(), book: AddressBook())
    print("Ordered for \(order.total), to \(order.shipping).")
  }

  static func order(_ cart: Cart, book: AddressBook) async throws -> Order {
    try await navigate(from: CartSheet(cart: cart)) { quantities, proxy in
      try await OrderFlow(cart: cart.with(quantities), book: book, proxy: proxy).run()
    }
  }

  private static let alan = Address(name: "Alan Turing", street: "2 Warrington Crescent", city: "London")

  /// Enters a wrong coupon, changes the payment, starts over, and enters a coupon that leaves nothing to pay.
  static let script: [ScriptedPresenter.Step] = [
    .answer(["swift": 2, "unix": 1], on: "Your cart"),
    .answer(alan, on: "Shipping address"), .press("Yes, save it", on: "Save this address?"),
    .answer(CouponSheet.Answer(code: "NONE"), on: "Coupon"), .press("OK", on: "There is no coupon NONE."),
    .answer(CouponSheet.Answer(code: "HALF"), on: "Coupon"),
    .answer(PaymentSheet.Answer(method: .invoice), on: "Payment"), .close("Summary"),
    .answer(PaymentSheet.Answer(method: .card), on: "Payment"),
    .answer(Address(name: "Alan Turing", street: "43 Adlington Road", city: "Wilmslow"), on: "Billing address"),
    .answer(CardSheet.Answer(holder: "Alan Turing", number: "4000000000000002"), on: "Card details"),
    .answer(SummarySheet.Answer(decision: .startOver), on: "Summary"),
    .answer(["swift": 1, "unix": 0], on: "Your cart"),
    .answer(alan, on: "Shipping address"), .answer(CouponSheet.Answer(code: "FREE"), on: "Coupon"),
    .answer(SummarySheet.Answer(decision: .place), on: "Summary"),
  ]
}
