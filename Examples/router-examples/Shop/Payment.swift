import Router

enum PaymentMethod: String, CaseIterable, Codable, Sendable {
  case card = "Credit card"
  case invoice = "Invoice"
}

/// Asks for the payment method.
struct PaymentSheet: Sheet {
  struct Answer: Codable {
    var method: PaymentMethod
  }

  var title: String { "Payment" }

  var form: Form<Answer>? {
    Form(Answer(method: .card)) { Picker("Pay by", \.method, isPrefilled: false) }
  }
}

/// Asks for a card number, which is sensitive: it goes only to the requester and is not stored.
struct CardSheet: Sheet {
  struct Answer: Codable {
    var holder: String
    var number: String
  }

  var holder: String

  var title: String { "Card details" }

  var form: Form<Answer>? {
    Form(Answer(holder: holder, number: "")) {
      TextField("Card holder", \.holder, length: 1...80)
      SecureField("Number", \.number, length: 12...19)
    }
  }
}

/// A payment method.
enum Payment: Codable, Sendable, Hashable {
  case free
  case invoice
  case card(endingIn: String, billing: Address)
}

/// A complete order.
struct Order: Codable, Sendable, Hashable {
  var cart: Cart
  var coupon: Coupon?
  var shipping: Address
  var payment: Payment

  var total: Money { cart.total(with: coupon) }
}

/// Asks for the final confirmation of an order.
struct SummarySheet: Sheet {
  enum Decision: String, CaseIterable, Codable {
    case place = "Place the order"
    case startOver = "Start over"
  }

  struct Answer: Codable {
    var decision: Decision
  }

  var order: Order

  var title: String { "Summary" }

  var message: String {
    let books = order.cart.items.map { "\($0.quantity) × \($0.title)" }.joined(separator: "\n")
    let payment =
      switch order.payment {
      case .free: "nothing to pay"
      case .invoice: "by invoice"
      case .card(let digits, let billing): "by the card that ends in \(digits), billed to \(billing)"
      }
    return "\(books)\nTo \(order.shipping.description)\n\(order.total.description), \(payment)"
  }

  var form: Form<Answer>? {
    Form(Answer(decision: .place)) { Picker("Decision", \.decision, isPrefilled: false) }
  }
}
