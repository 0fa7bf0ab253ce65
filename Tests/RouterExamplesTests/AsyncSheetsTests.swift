import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after sheets and alerts with async functions.
@Suite(.timeLimit(.minutes(10)))
struct AsyncSheetsTests {
  @Test func `fills the form in with the picked address, and saves it when it was changed`() async throws {
    let book = AddressBook()
    let ada = await book.addresses[0]
    var changed = ada
    changed.street = "6 Great Cumberland Place"
    try await withTestRouter { router in
      let presenter = router.presenter()
      let showing = Task { try await AddressScreen(book: book).show() }
      try await presenter.next(AddressPicker.self).answer(AddressPicker.Answer(address: ada.description))
      let form = try await presenter.next(AddressForm.self)
      #expect(form.sheet.draft == ada)
      try await form.answer(changed)
      try await presenter.press("Yes, save it", on: try await presenter.next(titled: "Save this address?"))
      try await presenter.dismiss(try await presenter.next(titled: "Done"))
      #expect(await book.addresses.last == changed)
      try await presenter.dismiss(try await presenter.next(titled: "Shipping address"))
      await #expect(throws: NoAnswer.dismissed) { try await showing.value }
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

extension TestPresenter {
  /// Waits for a presentation with a title. The form below may be shown first, until the next one covers it.
  fileprivate func next(titled title: String) async throws -> Presentation {
    while true {
      let shown = try await nextPresentation()
      if shown.request.title == title { return shown }
    }
  }
}
