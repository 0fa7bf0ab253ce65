import ArgumentParser
import Router
import RouterCompatibility

/// Picks one of the recent addresses.
struct AddressPicker: Sheet {
  struct Answer: Codable {
    var address: String
  }

  var recent: [Address]

  var title: String { "Recent addresses" }
  var message: String { "Pick one, or close this to type a new one." }

  var form: Form<Answer>? {
    Form(Answer(address: "")) { Picker("Address", \.address, choices: recent.map(\.description)) }
  }
}

/// Shows the address. The person continues to start over.
struct DoneScreen: Sheet {
  var address: Address

  var title: String { "Done" }
  var message: String { "It goes to \(address). Continue to start over." }
}

/// Asks for an address: a sheet picks a recent one, a form changes it, and an alert offers to save a new one.
struct AddressScreen {
  let book: AddressBook

  @Environment(\.run) private var run

  func show() async throws {
    let recent = await book.addresses
    let picked = try? await run(AddressPicker(recent: recent)).address
    let draft = recent.first { $0.description == picked }
    let flow = await NavigationFlow(root: AddressForm(title: "Shipping address", draft: draft)) { address, proxy in
      // Closing the alert returns to the form, with its input unchanged.
      guard await book.offerToSave(address) else { return }
      print("It goes to \(address).")
      await proxy.show(DoneScreen(address: address)).then { _, _ in
        proxy.popToRoot()
      }
    }
    _ = try flow.result.get()
  }
}

/// `router-examples async-sheets`: sheets and alerts with async functions.
struct AsyncSheets: Example {
  static let configuration = CommandConfiguration(
    commandName: "async-sheets", abstract: "Pick an address in a sheet, change it in a form, and save it by an alert.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws { try await AddressScreen(book: AddressBook()).show() }

  private static let alan = Address(name: "Alan Turing", street: "2 Warrington Crescent", city: "London")

  static let script: [ScriptedPresenter.Step] = [
    .close("Recent addresses"),
    .answer(alan, on: "Shipping address"), .close("Save this address?"),
    .answer(alan, on: "Shipping address"), .press("Yes, save it", on: "Save this address?"), .proceed(from: "Done"),
    .answer(alan, on: "Shipping address"), .close("Done"), .close("Shipping address"),
  ]
}
