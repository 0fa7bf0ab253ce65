import Router

/// An amount of money, in cents.
struct Money: Codable, Sendable, Hashable, CustomStringConvertible {
  var cents: Int

  var description: String {
    let rest = cents % 100
    return "€\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The contents of a shopping cart.
struct Cart: Codable, Sendable, Hashable {
  struct Item: Codable, Sendable, Hashable {
    var id: String
    var title: String
    var price: Money
    var quantity: Int
  }

  var items = [
    Item(id: "swift", title: "The Swift Programming Language", price: Money(cents: 29_50), quantity: 1),
    Item(id: "unix", title: "The UNIX Programming Environment", price: Money(cents: 41_00), quantity: 1),
  ]

  /// Returns the price, less a coupon's discount.
  func total(with coupon: Coupon?) -> Money {
    let sum = items.reduce(0) { $0 + $1.quantity * $1.price.cents }
    return Money(cents: sum * (100 - (coupon?.percent ?? 0)) / 100)
  }

  /// The quantity of each item, by id.
  var quantities: [String: Int] { Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.quantity) }) }

  /// Returns the cart with other quantities.
  func with(_ quantities: [String: Int]) -> Cart {
    var cart = self
    for index in cart.items.indices { cart.items[index].quantity = quantities[cart.items[index].id] ?? 0 }
    return cart
  }
}

/// Asks for the quantities: the first sheet of an order.
struct CartSheet: Sheet {
  var cart: Cart

  var title: String { "Your cart" }

  var form: Form<[String: Int]>? {
    Form(cart.quantities) {
      for item in cart.items {
        NumberField("\(item.title), \(item.price) each", \.[item.id], isRequired: true, in: 0...99)
      }
    }
  }
}

/// A discount code.
struct Coupon: Codable, Sendable, Hashable {
  var code: String
  var percent: Int

  static let known = [Coupon(code: "HALF", percent: 50), Coupon(code: "FREE", percent: 100)]
}

/// Asks for an optional coupon.
struct CouponSheet: Sheet {
  struct Answer: Codable {
    var code: String?
  }

  var total: Money

  var title: String { "Coupon" }
  var message: String { "So far it is \(total.description)." }

  var form: Form<Answer>? {
    Form(Answer()) { TextField("Code", \.code, length: 0...20) }
  }
}
