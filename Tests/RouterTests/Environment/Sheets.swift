import Router

/// The seed's sheet: nothing but its declaration.
enum AppSheet: Sheet {
  case settings
  case contact(String)
}

struct Address: Codable, Sendable, Hashable {
  var street: String
}

struct PickAddress: Sheet {
  typealias Answer = Address
  var recent: [Address]
}

/// A sheet whose answer may be nothing at all.
struct PickNickname: Sheet {
  typealias Answer = String?
}
