import ArgumentParser
import Router
import RouterCompatibility

/// `router-examples save`: an alert on top of a form, with two answers and a way to close it without one.
struct SavingAddress: Example {
  static let configuration = CommandConfiguration(commandName: "save", abstract: "Type an address, and say whether to keep it.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let book = AddressBook()
    await NavigationFlow(root: AddressForm(title: "Shipping address")) { address, proxy in
      // Closing the alert returns to the form, with its input unchanged.
      guard await book.offerToSave(address) else { return }
      let isSaved = await book.addresses.contains(address)
      print("It goes to \(address), which is \(isSaved ? "saved" : "used this one time").")
      try? await proxy.finish()
    }
  }

  static let script: [ScriptedPresenter.Step] = [
    .fill("Shipping address", ["name": "Alan Turing", "street": "2 Warington Crescent", "city": "London"]),
    .close("Save this address?"),
    .fill("Shipping address", ["name": "Alan Turing", "street": "2 Warrington Crescent", "city": "London"]),
    .press("save", on: "Save this address?"),
  ]
}
