import Router

/// A sheet that consists of its declaration only.
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

/// A sheet whose answer can be `nil`.
struct PickNickname: Sheet {
  typealias Answer = String?
}
