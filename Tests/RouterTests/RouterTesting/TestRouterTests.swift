import Router
import RouterTesting
import Testing

/// The checks at the end of a test: that they bite, and what they say.
@Suite(.timeLimit(.minutes(20)))
struct TestRouterTests {
  /// What a test's body that leaves something behind is told.
  private func complaint(_ body: (TestRouter) async throws -> Void) async throws -> String {
    let error = await #expect(throws: LeftOver.self) { try await withTestRouter(operation: body) }
    return try #require(error).description
  }

  private let question = AlertState<Bool>("Delete?") { ButtonState("Delete", action: true) }

  @Test func `a test that leaves nothing behind passes, and its value comes back`() async throws {
    let choice = try await withTestRouter { router in
      let presenter = router.presenter(script: [.choose("Delete")])
      let choice = try await ShowAlertAction()(question)
      #expect(presenter.shown.map(\.request.title) == ["Delete?"])
      return choice
    }
    #expect(choice)
  }

  @Test func `a presentation that is open fails the test by name`() async throws {
    let shown = try await complaint { router in
      let presenter = router.presenter()
      ShowAlertAction()(question, onDismiss: nil)
      _ = try await presenter.nextPresentation()
    }
    #expect(shown.hasPrefix("cannot pass: the alert \"Delete?\" ("))
    #expect(shown.hasSuffix(", surface main) is still open"))
  }

  @Test func `a presentation that nobody shows is open too, and so is one that was asked for at the last moment`() async throws
  {
    let waiting = try await complaint { _ in
      for title in ["One", "Two"] { ShowAlertAction()(AlertState("\(title)"), onDismiss: nil) }
    }
    #expect(waiting.contains("the alert \"One\" (") && waiting.contains("the alert \"Two\" ("))
    let detached = try await complaint { router in
      let requester = Requester(app: "other", process: .current)
      _ = try await router.coordinator.ask(PresentationRequest(question), from: requester, attached: false).accepted()
    }
    #expect(detached.contains("the alert \"Delete?\" ("))
  }

  @Test func `an answer that nobody reads fails the test by name`() async throws {
    let unread = try await complaint { router in
      let presenter = router.presenter()
      _ = router.submit(PresentationRequest(question))
      try await presenter.press("b1", on: try await presenter.nextPresentation())
    }
    #expect(unread.hasPrefix("cannot pass: the answer to the alert \"Delete?\" ("))
    #expect(unread.hasSuffix(") was never read"))
  }

  @Test func `an answer that comes before anybody waits for it can be read afterwards`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let handle = router.submit(PresentationRequest(question))
      try await presenter.press("b1", on: try await presenter.nextPresentation())
      #expect(try await handle.outcome() == .answered(.button("b1")))
    }
  }

  @Test func `answers of a flow that nobody reads fail the test by name`() async throws {
    let unread = try await complaint { router in
      let presenter = router.presenter()
      let flow = router.submit(PresentationRequest(kind: .sheet, sheet: "address", flow: true))
      try await presenter.answer(1, on: try await presenter.nextPresentation())
      try await presenter.dismiss(try await presenter.nextPresentation())
      #expect(try await flow.outcome() == .dismissed)
    }
    #expect(unread.hasPrefix("cannot pass: the answer to the sheet \"address\" ("))
    #expect(unread.hasSuffix(") was never read"))
    let first = try await complaint { router in
      let presenter = router.presenter()
      let flow = router.submit(PresentationRequest(kind: .sheet, sheet: "address", flow: true))
      for answer in 1...2 {
        try await presenter.answer(.number(JSONNumber(answer)), on: try await presenter.nextPresentation())
      }
      #expect(try await flow.finish().outcome == .answered(.value(2)))
    }
    #expect(first.hasSuffix(") was never read"))
  }

  @Test(arguments: [1, 2]) func `whoever reads a flow's answers, or finishes it with its only one, has read them`(count: Int)
    async throws
  {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let flow = router.submit(PresentationRequest(kind: .sheet, sheet: "address", flow: true))
      for answer in 1...count {
        try await presenter.answer(.number(JSONNumber(answer)), on: try await presenter.nextPresentation())
      }
      _ = try await flow.finish()
      guard count > 1 else { return }
      var answers: [PresentationAnswer] = []
      for await answer in flow.answers { answers.append(answer) }
      #expect(answers == [.value(1), .value(2)])
    }
  }

  @Test func `a navigation flow reads what it is answered, however it ends`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.answer("Hill Road"), .answer("Mill Lane"), .dismiss])
      let flow = await NavigationFlow(root: AddressForm()) { _, _ in }
      #expect(flow.lastAnswer == "Mill Lane")
    }
  }

  @Test func `whoever does not wait has said that the answer may go`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      ShowAlertAction()(question, onDismiss: nil)
      try await presenter.press("b1", on: try await presenter.nextPresentation())
    }
  }

  @Test func `a refusal that only the log was told of fails the test`() async throws {
    let refused = try await complaint { _ in
      ShowConfirmationDialogAction()(ConfirmationDialogState<Int>("Which?") {}, onDismiss: nil)
    }
    #expect(
      refused
        == "cannot pass: the confirmationDialog \"Which?\" was refused: cannot accept /buttons: a confirmation dialog must have a button"
    )
  }

  @Test func `a script that is not played to its end fails the test`() async throws {
    let unplayed = try await complaint { router in
      _ = router.presenter("person", script: [.choose("Delete"), .dismiss, .answer(["a": 1])])
      _ = try await ShowAlertAction()(question)
    }
    #expect(unplayed == #"cannot pass: the presenter person was shown nothing for dismiss, answer {"a":1}"#)
  }

  @Test func `a step that does not count fails the test and says why`() async throws {
    let wrong = try await complaint { router in
      let presenter = router.presenter("person", script: [.choose("Remove")])
      let asking = Task { try await ShowAlertAction()(question) }
      _ = try await presenter.nextPresentation()
      asking.cancel()
      _ = await asking.result
    }
    #expect(
      wrong == #"cannot pass: the presenter person could not choose "Remove": cannot choose "Remove": the buttons are "Delete""#
    )
  }

  @Test func `everything that was left is named`() async throws {
    let error = await #expect(throws: LeftOver.self) {
      try await withTestRouter { router in
        _ = router.presenter(script: [.dismiss])
        ShowSheetAction()(AppSheet.settings, options: PresentationOptions(surface: "kitchen"), onDismiss: nil)
      }
    }
    #expect(error?.items.count == 2)
  }

  @Test func `what the body throws comes before what it left`() async throws {
    struct Wrong: Error {}
    await #expect(throws: Wrong.self) {
      try await withTestRouter { _ in
        ShowAlertAction()(question, onDismiss: nil)
        throw Wrong()
      }
    }
  }

  @Test func `what is left is ended, so that nobody waits for ever`() async throws {
    let ends = Mutex<[String]>([])
    let error = await #expect(throws: LeftOver.self) {
      try await withTestRouter { _ in
        ShowAlertAction()(question, onDismiss: { ends.withLock { $0.append("called back") } })
      }
    }
    #expect(error?.items.count == 1)
    #expect(ends.withLock(\.self) == ["called back"])
  }

  @Test func `the clock stands until it is moved`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAlertAction().outcome(of: question, options: PresentationOptions(timeout: .seconds(60)))
      _ = try await presenter.nextPresentation()
      router.clock.advance(by: .seconds(60))
      #expect(await outcome == .expired(.presented))
    }
  }

  @Test func `the record is in memory and can be read`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.choose("Delete")])
      _ = try await ShowAlertAction()(question)
      let id = try #require(presenter.shown.first?.id)
      #expect(try await router.reader.presentation(id)?.outcome == .answered(.button("b1")))
      let kinds = try await router.reader.events(of: id).map(\.kind)
      #expect(kinds.prefix(3) == [.requested, .presented, .answered])
    }
  }
}
