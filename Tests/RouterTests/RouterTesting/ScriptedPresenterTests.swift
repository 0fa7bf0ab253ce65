import Router
import RouterTesting
import Testing

/// Presenters that play a script.
@Suite(.timeLimit(.minutes(10)))
struct ScriptedPresenterTests {
  private let question = AlertState<Int>("Which?") {
    ButtonState("One", action: 1)
    ButtonState("Two", id: "two", action: 2)
  }

  @Test func `plays one step per showing, in order`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [
        .press(id: "b1"), .press("Two"), .dismiss, .fail("no display"), .answer(Address(street: "Hill Road")),
      ])
      let showAlert = ShowAction()
      #expect(await showAlert.result(of: question) == .success(1))
      #expect(await showAlert.result(of: question) == .success(2))
      #expect(await showAlert.result(of: question) == .failure(.dismissed))
      #expect(await showAlert.result(of: question) == .failure(.failed("no display")))
      #expect(await ShowAction().result(of: PickAddress(recent: [])) == .success(Address(street: "Hill Road")))
      #expect(presenter.shown.count == 5)
      #expect(presenter.unplayed.isEmpty)
    }
  }

  @Test func `continues from a flow's screen without an answer`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.answer("Hill Road"), .proceed])
      let address: String = try await navigate(from: AddressForm()) { address, proxy in
        try await proxy.show(Done(address)).then { try await proxy.finish(address) }
      }
      #expect(address == "Hill Road")
      #expect(presenter.shown.map(\.request.sheet) == ["AddressForm", "Done"])
    }
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let address: String = navigate(from: Done("Hill Road")) { proxy in try await proxy.finish("Mill Lane") }
      try await presenter.next(Done.self).proceed()
      #expect(try await address == "Mill Lane")
    }
  }

  @Test func `passes each presentation to a closure`() async throws {
    try await withTestRouter { router in
      _ = router.presenter { presentation in
        switch presentation.request.kind {
        case .alert: .press(id: "two")
        case .sheet, .fullScreenCover, .confirmationDialog: .dismiss
        }
      }
      #expect(await ShowAction().result(of: question) == .success(2))
      #expect(await ShowAction(as: .fullScreenCover).result(of: AppSheet.settings) == .failure(.dismissed))
    }
  }

  @Test func `lets the test act step by step after the script`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.leave])
      async let outcome = ShowAction().result(of: question)
      let shown = try await presenter.nextPresentation()
      try await presenter.press("Two", on: shown)
      #expect(await outcome == .success(2))
    }
  }

  @Test func `leaves the prompt of a vanished presenter to the next one`() async throws {
    try await withTestRouter { router in
      let first = router.presenter("first", script: [.disconnect])
      async let outcome = ShowAction().result(of: question)
      _ = try await first.nextPresentation()
      let second = router.presenter("second", script: [.press(id: "b1")])
      #expect(await outcome == .success(1))
      #expect(second.shown.map(\.generation) == [2])
    }
  }

  @Test func `lists each prompt once, as it was first shown`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter { $0.request.kind == .alert ? .press("One") : .leave }
      try await ShowAction().during(AppSheet.settings) {
        let answers = try await [ShowAction()(question), ShowAction()(question)]
        #expect(answers == [1, 1])
      }
      #expect(presenter.shown.map(\.request.kind) == [.sheet, .alert, .alert])
      #expect(presenter.shown.map(\.generation) == [1, 1, 1])
    }
  }

  @Test func `throws an error for an unknown label`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAction().result(of: question)
      let shown = try await presenter.nextPresentation()
      let error = await #expect(throws: RouterError.self) { try await presenter.press("Three", on: shown) }
      #expect(error?.message == #"cannot press "Three": the buttons are "One", "Two""#)
      try await presenter.dismiss(shown)
      #expect(await outcome == .failure(.dismissed))
    }
  }
}
