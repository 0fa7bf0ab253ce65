import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after async navigation.
@Suite(.timeLimit(.minutes(10)))
struct OrderFlowTests {
  private let ada = Address(name: "Ada Lovelace", street: "12 St James's Square", city: "London")
  private let cart = Cart()

  @Test func `pays by card`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [
        .answer(cart.quantities), .answer(ada), .answer(CouponSheet.Answer(code: "HALF")),
        .answer(PaymentSheet.Answer(method: .card)), .answer(ada),
        .answer(CardSheet.Answer(holder: "Ada Lovelace", number: "4000000000000002")),
        .answer(SummarySheet.Answer(decision: .place)),
      ])
      let order = try await PlacingOrder.order(cart, book: AddressBook())
      #expect(order.payment == .card(endingIn: "0002", billing: ada))
      #expect(order.total == Money(cents: 35_25))
    }
  }

  @Test func `skips the payment if a coupon leaves nothing to pay`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [
        .answer(cart.quantities), .answer(ada), .answer(CouponSheet.Answer(code: "FREE")),
        .answer(SummarySheet.Answer(decision: .place)),
      ])
      let order = try await PlacingOrder.order(cart, book: AddressBook())
      #expect(order == Order(cart: cart, coupon: Coupon(code: "FREE", percent: 100), shipping: ada, payment: .free))
    }
  }

  @Test func `starts over at the cart`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [
        .answer(cart.quantities), .answer(ada), .answer(CouponSheet.Answer()),
        .answer(PaymentSheet.Answer(method: .invoice)), .answer(SummarySheet.Answer(decision: .startOver)), .dismiss,
      ])
      await #expect(throws: NoAnswer.dismissed) { try await PlacingOrder.order(cart, book: AddressBook()) }
    }
  }
}
