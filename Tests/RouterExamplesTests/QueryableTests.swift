import Router
import RouterTesting
import Testing

@testable import router_examples

/// The program after Queryable's README.
@Suite(.timeLimit(.minutes(10)))
struct QueryableTests {
  @Test func `fills the form in with the player that was not confirmed`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let created = PlayerListView().createPlayer()
      let first = try await presenter.next(PlayerEditor.self)
      #expect(first.sheet.draft == .draft)
      try await first.answer(PlayerItem(name: "Marta", number: 9))
      try await presenter.press("No", on: try await presenter.nextPresentation())
      let second = try await presenter.next(PlayerEditor.self)
      #expect(second.sheet.draft == PlayerItem(name: "Marta", number: 9))
      try await second.answer(PlayerItem(name: "Marta", number: 10))
      try await presenter.press("Yes", on: try await presenter.nextPresentation())
      let player = try await created
      #expect(player == PlayerItem(name: "Marta", number: 10))
    }
  }

  @Test func `refuses a number that the form does not allow`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let creation = Task { try await PlayerListView().createPlayer() }
      let form = try await presenter.next(PlayerEditor.self)
      await #expect(throws: RouterError.self) { try await form.answer(PlayerItem(name: "Marta", number: 100)) }
      try await form.dismiss()
      await #expect(throws: NoAnswer.dismissed) { try await creation.value }
    }
  }
}
