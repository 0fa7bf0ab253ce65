import Router

struct AddressForm: Sheet {
  typealias Answer = String
}

struct Coupon: Sheet {
  typealias Answer = String?
  var address: String
}

struct Payment: Sheet {
  enum Answer: String, Codable { case card, invoice }
}

/// A sheet that only confirms.
struct Done: Sheet {
  var address: String

  init(_ address: String) {
    self.address = address
  }
}

/// A sheet that brokers refuse, because of the line break in its title.
struct Refused: Sheet {
  typealias Answer = String
  var title: String { "two\nlines" }
}

/// A sheet that cannot be encoded as JSON.
struct NotEncodable: Sheet {
  typealias Answer = String
  var number = Double.nan
}
