import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after sheets and alerts with async functions.
@Suite(.timeLimit(.minutes(20)))
struct AsyncSheetsTests {
  @Test func `fills the form in with the picked address, and saves it when it was changed`() async throws {
    let book = AddressBook()
    let ada = await book.addresses[0]
    var changed = ada
    changed.street = "6 Great Cumberland Place"
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .answer(AddressPicker.Answer(address: ada.description)), .answer(changed), .press("Yes, save it"), .dismiss, .dismiss,
      ])
      await #expect(throws: NoAnswer.dismissed) { try await AddressScreen(book: book).show() }
      let form = try #require(presenter.shown.first { $0.request.title == "Shipping address" })
      #expect(try form.request.payload?.decode(AddressForm.self).draft == ada)
      #expect(await book.addresses.last == changed)
    }
  }

  @Test func `asks again for a known address without offering to save it`() async throws {
    let book = AddressBook()
    let ada = await book.addresses[0]
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .dismiss, .answer(ada), .answer(JSONValue.object([:])), .answer(ada), .dismiss, .dismiss,
      ])
      await #expect(throws: NoAnswer.dismissed) { try await AddressScreen(book: book).show() }
      #expect(!presenter.shown.contains { $0.request.title == "Save this address?" })
    }
  }
}
