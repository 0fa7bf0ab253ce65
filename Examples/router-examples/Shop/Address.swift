import Router

struct Address: Codable, Sendable, Hashable, CustomStringConvertible {
  var name: String
  var street: String
  var city: String

  var description: String { "\(name), \(street), \(city)" }
}

/// A form for an address.
struct AddressForm: Sheet {
  var title: String
  var draft: Address?

  var form: Form<Address>? {
    Form(draft ?? Address(name: "", street: "", city: "")) {
      TextField("Name", \.name, length: 1...80)
      TextField("Street", \.street, length: 1...80)
      TextField("City", \.city, length: 1...80)
    }
  }
}

/// The saved addresses.
actor AddressBook {
  private(set) var addresses: [Address] = [
    Address(name: "Ada Lovelace", street: "12 St James's Square", city: "London"),
    Address(name: "Grace Hopper", street: "1 Navy Annex", city: "Arlington"),
  ]

  func save(_ address: Address) {
    addresses.append(address)
  }

  /// Offers to save an address if it is not saved yet.
  ///
  /// - Returns: Whether the person decided, rather than closed the alert.
  nonisolated func offerToSave(_ address: Address) async -> Bool {
    if await addresses.contains(address) { return true }
    @Environment(\.showAlert) var showAlert
    let alert = AlertState<Bool> {
      "Save this address?"
    } actions: {
      ButtonState("Yes, save it", action: true)
      ButtonState("No, use it this time only", action: false)
    } message: {
      "\(address)"
    }
    guard case .success(let isWanted) = await showAlert.result(of: alert) else { return false }
    if isWanted { await save(address) }
    return true
  }
}
