import Router
import RouterTesting
import Testing

/// Presenters that play a script.
@Suite(.timeLimit(.minutes(20)))
struct ScriptedPresenterTests {
  private let question = AlertState<Int>("Which?") {
    ButtonState("One", action: 1)
    ButtonState("Two", id: "two", action: 2)
  }

  @Test func `plays one step per showing, in order`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .press("b1"), .choose("Two"), .dismiss, .fail("no display"), try .answer(encoding: Address(street: "Hill Road")),
      ])
      let showAlert = ShowAlertAction()
      #expect(await showAlert.outcome(of: question) == .answered(1))
      #expect(await showAlert.outcome(of: question) == .answered(2))
      #expect(await showAlert.outcome(of: question) == .dismissed)
      #expect(await showAlert.outcome(of: question) == .failed("no display"))
      #expect(await ShowSheetAction().outcome(of: PickAddress(recent: [])) == .answered(Address(street: "Hill Road")))
      #expect(presenter.shown.count == 5)
      #expect(presenter.unplayed.isEmpty)
    }
  }

  @Test func `passes each presentation to a closure`() async throws {
    try await withTestRouter { router in
      _ = router.presenter { presentation in
        switch presentation.request.kind {
        case .alert: .press("two")
        case .sheet, .fullScreenCover, .confirmationDialog: .dismiss
        }
      }
      #expect(await ShowAlertAction().outcome(of: question) == .answered(2))
      #expect(await ShowSheetAction(as: .fullScreenCover).outcome(of: AppSheet.settings) == .dismissed)
    }
  }

  @Test func `lets the test act step by step after the script`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.leave])
      async let outcome = ShowAlertAction().outcome(of: question)
      let shown = try await presenter.nextPresentation()
      try await presenter.choose("Two", on: shown)
      #expect(await outcome == .answered(2))
    }
  }

  @Test func `leaves the prompt of a vanished presenter to the next one`() async throws {
    try await withTestRouter { router in
      let first = router.presenter("first", script: [.disconnect])
      async let outcome = ShowAlertAction().outcome(of: question)
      _ = try await first.nextPresentation()
      let second = router.presenter("second", script: [.press("b1")])
      #expect(await outcome == .answered(1))
      #expect(second.shown.map(\.generation) == [2])
    }
  }

  @Test func `throws an error for an unknown label`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAlertAction().outcome(of: question)
      let shown = try await presenter.nextPresentation()
      let error = await #expect(throws: RouterError.self) { try await presenter.choose("Three", on: shown) }
      #expect(error?.message == #"cannot choose "Three": the buttons are "One", "Two""#)
      try await presenter.dismiss(shown)
      #expect(await outcome == .dismissed)
    }
  }
}
