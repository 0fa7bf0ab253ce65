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

/// A sheet with nothing to say but to go on.
struct Done: Sheet {
  var address: String

  init(_ address: String) {
    self.address = address
  }
}

/// A sheet that no broker takes: a title has no line breaks.
struct Refused: Sheet {
  typealias Answer = String
  var sheetTitle: TextState? { "two\nlines" }
}

/// A sheet that has no JSON.
struct NotEncodable: Sheet {
  typealias Answer = String
  var number = Double.nan
}
