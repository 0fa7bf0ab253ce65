import Router
import RouterTesting
import Testing

/// The checks at the end of a test and their messages.
@Suite(.timeLimit(.minutes(20)))
struct TestRouterTests {
  /// Returns the error for a test body that leaves something behind.
  private func complaint(_ body: (TestRouter) async throws -> Void) async throws -> String {
    let error = await #expect(throws: LeftOver.self) { try await withTestRouter(operation: body) }
    return try #require(error).description
  }

  private let question = AlertState<Bool>("Delete?") { ButtonState("Delete", action: true) }

  @Test func `passes a test that leaves nothing behind and returns its value`() async throws {
    let choice = try await withTestRouter { router in
      let presenter = router.presenter(script: [.choose("Delete")])
      let choice = try await ShowAlertAction()(question)
      #expect(presenter.shown.map(\.request.title) == ["Delete?"])
      return choice
    }
    #expect(choice)
  }

  @Test func `fails a test that leaves a presentation open, by name`() async throws {
    let shown = try await complaint { router in
      let presenter = router.presenter()
      ShowAlertAction()(question, onDismiss: nil)
      _ = try await presenter.nextPresentation()
    }
    #expect(shown.hasPrefix("cannot pass: the alert \"Delete?\" ("))
    #expect(shown.hasSuffix(", surface main) is still open"))
  }

  @Test func `fails a test that leaves a queued or detached presentation open`() async throws {
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

  @Test func `fails a test that leaves an answer unread`() async throws {
    let unread = try await complaint { router in
      let presenter = router.presenter()
      _ = router.submit(PresentationRequest(question))
      try await presenter.press("b1", on: try await presenter.nextPresentation())
    }
    #expect(unread.hasPrefix("cannot pass: the answer to the alert \"Delete?\" ("))
    #expect(unread.hasSuffix(") was never read"))
  }

  @Test func `lets a test read an answer that came before it waits`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let handle = router.submit(PresentationRequest(question))
      try await presenter.press("b1", on: try await presenter.nextPresentation())
      #expect(try await handle.outcome() == .answered(.button("b1")))
    }
  }

  @Test func `fails a test that leaves a flow's answers unread`() async throws {
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

  @Test(arguments: [1, 2]) func `counts a flow's answers as read by iteration, or by finish if there is only one`(count: Int)
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

  @Test func `counts a navigation flow's answers as read`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.answer("Hill Road"), .answer("Mill Lane"), .dismiss])
      let flow = await NavigationFlow(root: AddressForm()) { _, _ in }
      #expect(flow.lastAnswer == "Mill Lane")
    }
  }

  @Test func `ignores an answer to a request that nobody waits for`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      ShowAlertAction()(question, onDismiss: nil)
      try await presenter.press("b1", on: try await presenter.nextPresentation())
    }
  }

  @Test func `fails a test whose refused request nobody waits for`() async throws {
    let refused = try await complaint { _ in
      ShowConfirmationDialogAction()(ConfirmationDialogState<Int>("Which?") {}, onDismiss: nil)
    }
    #expect(
      refused
        == "cannot pass: the confirmationDialog \"Which?\" was refused: cannot accept /buttons: a confirmation dialog must have a button"
    )
  }

  @Test func `fails a test with unplayed script steps`() async throws {
    let unplayed = try await complaint { router in
      _ = router.presenter("person", script: [.choose("Delete"), .dismiss, .answer(["a": 1])])
      _ = try await ShowAlertAction()(question)
    }
    #expect(unplayed == #"cannot pass: the presenter person was shown nothing for dismiss, answer {"a":1}"#)
  }

  @Test func `fails a test whose step is rejected and gives the reason`() async throws {
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

  @Test func `names everything that was left behind`() async throws {
    let error = await #expect(throws: LeftOver.self) {
      try await withTestRouter { router in
        _ = router.presenter(script: [.dismiss])
        ShowSheetAction()(AppSheet.settings, options: PresentationOptions(surface: "kitchen"), onDismiss: nil)
      }
    }
    #expect(error?.items.count == 2)
  }

  @Test func `prefers the body's error to its own`() async throws {
    struct Wrong: Error {}
    await #expect(throws: Wrong.self) {
      try await withTestRouter { _ in
        ShowAlertAction()(question, onDismiss: nil)
        throw Wrong()
      }
    }
  }

  @Test func `ends what was left, so that nothing waits forever`() async throws {
    let ends = Mutex<[String]>([])
    let error = await #expect(throws: LeftOver.self) {
      try await withTestRouter { _ in
        ShowAlertAction()(question, onDismiss: { ends.withLock { $0.append("called back") } })
      }
    }
    #expect(error?.items.count == 1)
    #expect(ends.withLock(\.self) == ["called back"])
  }

  @Test func `keeps the clock still until the test advances it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAlertAction().outcome(of: question, options: PresentationOptions(timeout: .seconds(60)))
      _ = try await presenter.nextPresentation()
      router.clock.advance(by: .seconds(60))
      #expect(await outcome == .expired(.presented))
    }
  }

  @Test func `provides a readable in-memory log`() async throws {
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
