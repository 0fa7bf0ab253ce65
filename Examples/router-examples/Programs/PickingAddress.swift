import ArgumentParser
import Router
import RouterCompatibility

/// Picks a saved address or a new one.
struct PickAddress: Sheet {
  struct Answer: Codable {
    var address: String
  }

  static let another = "Another address"

  var recent: [Address]

  var title: String { "Where should it go?" }

  var form: Form<Answer>? {
    Form(Answer(address: "")) {
      Picker("Address", \.address, choices: recent.map(\.description) + [Self.another])
    }
  }
}

/// `router-examples address`: runs two sheets one after the other.
struct PickingAddress: Example {
  static let configuration = CommandConfiguration(commandName: "address", abstract: "Pick an address, or type one.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let address = try await pickAddress(from: AddressBook())
    print("It goes to \(address).")
  }

  private static func pickAddress(from book: AddressBook) async throws -> Address {
    @Environment(\.run) var run
    let recent = await book.addresses
    while true {
      let picked = try await run(PickAddress(recent: recent)).address
      if let address = recent.first(where: { $0.description == picked }) { return address }
      do {
        return try await run(AddressForm(title: "New address"))
      } catch NoAnswer.dismissed {
        // The person closed the form: let them pick again.
      }
    }
  }

  static let script: [ScriptedPresenter.Step] = [
    .fill("Where should it go?", ["address": .string(PickAddress.another)]),
    .close("New address"),
    .fill("Where should it go?", ["address": .string(PickAddress.another)]),
    .fill("New address", ["name": "Alan Turing", "street": "2 Warrington Crescent", "city": "London"]),
  ]
}
