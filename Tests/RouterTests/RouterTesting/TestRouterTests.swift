import Router
import RouterCompatibility
import RouterTesting
import Testing

/// The checks at the end of a test and their messages.
@Suite(.timeLimit(.minutes(10)))
struct TestRouterTests {
  /// Returns the error for a test body that leaves something behind.
  private func complaint(_ body: (TestRouter) async throws -> Void) async throws -> String {
    let found = Mutex<[String]>([])
    try await withKnownIssue {
      try await withTestRouter(operation: body)
    } matching: { issue in
      found.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    return try #require(found.withLock(\.self).first)
  }

  private let question = AlertState<Bool>("Delete?") { ButtonState("Delete", action: true) }

  @Test func `passes a test that leaves nothing behind and returns its value`() async throws {
    let choice = try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Delete")])
      let choice = try await ShowAction()(question)
      #expect(presenter.shown.map(\.request.title) == ["Delete?"])
      return choice
    }
    #expect(choice)
  }

  @Test func `fails a test that leaves a presentation open, by name`() async throws {
    let shown = try await complaint { router in
      let presenter = router.presenter()
      ShowAction().post(question)
      _ = try await presenter.nextPresentation()
    }
    #expect(shown.hasPrefix("cannot pass: the alert \"Delete?\" ("))
    #expect(shown.hasSuffix(", surface main) is still open"))
  }

  @Test func `fails a test that leaves a queued or detached presentation open`() async throws {
    let waiting = try await complaint { _ in
      for title in ["One", "Two"] { ShowAction().post(AlertState("\(title)")) }
    }
    #expect(waiting.contains("the alert \"One\" (") && waiting.contains("the alert \"Two\" ("))
    let detached = try await complaint { router in
      let requester = Presentation.Requester(app: "other", process: .current)
      _ = try await router.coordinator.ask(PresentationRequest(question), from: requester, attached: false).accepted()
    }
    #expect(detached.contains("the alert \"Delete?\" ("))
  }

  @Test func `fails a test that leaves an answer unread`() async throws {
    let unread = try await complaint { router in
      let presenter = router.presenter()
      _ = router.submit(PresentationRequest(question))
      try await presenter.press(id: "b1", on: try await presenter.nextPresentation())
    }
    #expect(unread.hasPrefix("cannot pass: the answer to the alert \"Delete?\" ("))
    #expect(unread.hasSuffix(") was never read"))
  }

  @Test func `lets a test read an answer that came before it waits`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let handle = router.submit(PresentationRequest(question))
      try await presenter.press(id: "b1", on: try await presenter.nextPresentation())
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
        try await presenter.answer(.number(JSONValue.Number(answer)), on: try await presenter.nextPresentation())
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
        try await presenter.answer(.number(JSONValue.Number(answer)), on: try await presenter.nextPresentation())
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
      let answers = Mutex<[TestPresenter.Step]>([.answer("Hill Road"), .answer("Mill Lane"), .dismiss])
      _ = router.presenter { _ in answers.withLock { $0.removeFirst() } }
      let flow = await NavigationFlow(root: AddressForm()) { _, _ in }
      #expect(flow.lastAnswer == "Mill Lane")
    }
  }

  @Test func `ignores an answer to a request that nobody waits for`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      ShowAction().post(question)
      try await presenter.press(id: "b1", on: try await presenter.nextPresentation())
    }
  }

  @Test func `fails a test whose refused request nobody waits for`() async throws {
    let refused = try await complaint { _ in
      ShowAction().post(ConfirmationDialogState<Int>("Which?") {})
    }
    #expect(
      refused
        == "cannot pass: the confirmationDialog \"Which?\" was refused: cannot accept /buttons: a confirmation dialog must have a button"
    )
  }

  @Test func `fails a test with unplayed script steps`() async throws {
    let unplayed = try await complaint { router in
      _ = router.presenter("person", script: [.press("Delete"), .dismiss, .answer(["a": 1])])
      _ = try await ShowAction()(question)
    }
    #expect(unplayed == #"cannot pass: the presenter person was shown nothing for dismiss, answer {"a":1}"#)
  }

  @Test func `fails a prompt whose step is rejected, and gives the reason even if the test throws`() async throws {
    let reason = #"cannot press "Remove": the buttons are "Delete""#
    let outcome = Mutex<Result<Bool, NoAnswer>?>(nil)
    let wrong = try await complaint { router in
      _ = router.presenter("person", script: [.press("Remove")])
      let ended = await ShowAction().result(of: question)
      outcome.withLock { $0 = ended }
    }
    #expect(wrong == #"cannot pass: the presenter person could not press "Remove": \#(reason)"#)
    #expect(outcome.withLock(\.self) == .failure(.failed(#"the test's presenter could not press "Remove": \#(reason)"#)))
    let thrown = try await complaint { router in
      _ = router.presenter("person", script: [.press("Remove")])
      _ = try await ShowAction()(question)
    }
    #expect(thrown == wrong)
  }

  @Test func `fails a prompt that comes after the end of a script`() async throws {
    let more = try await complaint { router in
      _ = router.presenter("person", script: [.press("Delete")])
      _ = try await ShowAction()(question)
      #expect(
        await ShowAction().result(of: question)
          == .failure(
            .failed("the test's presenter could not take the next step: the script ends before the alert \"Delete?\"")))
    }
    #expect(
      more == #"cannot pass: the presenter person could not take the next step: the script ends before the alert "Delete?""#)
  }

  @Test func `names everything that was left behind`() async throws {
    let left = try await complaint { router in
      _ = router.presenter(script: [.dismiss])
      ShowAction().post(AppSheet.settings, options: { $0.surface = "kitchen" })
    }
    #expect(left.contains("the sheet \"settings\"") && left.contains("; the presenter test was shown nothing for dismiss"))
  }

  @Test func `the issue is recorded at the caller's line`() async throws {
    let line = #line + 2
    try await withKnownIssue {
      try await withTestRouter { _ in _ = ShowAction().post(question) }
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.fileName == "TestRouterTests.swift"
    }
  }

  @Test func `what a test allows may stay open`() async throws {
    try await withTestRouter(leaving: { if case .open = $0 { true } else { false } }) { _ in
      ShowAction().post(question)
    }
  }

  @Test func `a test sets the router's limits`() async throws {
    try await withTestRouter(limits: .init(perSurface: 1), leaving: { if case .open = $0 { true } else { false } }) { _ in
      ShowAction().post(question)
      #expect(await #expect(throws: RouterError.self) { _ = try await ShowAction()(question) }?.code == .full)
    }
  }

  @Test func `a sheet is answered in its own type`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let address = ShowAction()(PickAddress(recent: [Address(street: "Hill Road")]))
      let shown = try await presenter.next(PickAddress.self)
      #expect(shown.sheet.recent == [Address(street: "Hill Road")])
      try await shown.answer(Address(street: "Mill Lane"))
      #expect(try await address == Address(street: "Mill Lane"))
    }
  }

  @Test func `another sheet than the expected one is an issue at the caller's line`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAction().result(of: PickNickname())
      let line = #line + 2
      try await withKnownIssue {
        _ = try await presenter.next(PickAddress.self)
      } matching: { issue in
        issue.error != nil
          || (issue.sourceLocation?.line == line && issue.comments.first == "the sheet \"PickNickname\" is not a PickAddress")
      }
      let shown = try #require(presenter.shown.first)
      try await presenter.dismiss(shown)
      #expect(await outcome == .failure(.dismissed))
    }
  }

  /// A sheet with the payload of another.
  private struct Copy: Sheet {
    typealias Answer = Address
    var recent: [Address]
  }

  @Test func `a sheet with the same payload under another name is not the expected one`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAction().result(of: Copy(recent: []))
      await withKnownIssue {
        _ = try await presenter.next(PickAddress.self)
      }
      try await presenter.dismiss(try #require(presenter.shown.first))
      #expect(await outcome == .failure(.dismissed))
    }
  }

  @Test func `waiting for the prompt of a refused request throws the reason`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let asking = Task { try await ShowAction()(AlertState("two\nlines")) }
      let error = await #expect(throws: (any Error).self) { _ = try await presenter.nextPresentation() }
      #expect(error.map { "\($0)" }?.hasPrefix("cannot show the alert \"two\nlines\": it was refused: ") == true)
      await #expect(throws: RouterError.self) { try await asking.value }
    }
  }

  @Test func `waiting for the prompt of a refused post throws the reason`() async throws {
    try await withTestRouter(leaving: { if case .refused = $0 { true } else { false } }) { router in
      let presenter = router.presenter()
      ShowAction().post(AlertState("two\nlines"))
      await #expect(throws: (any Error).self) { _ = try await presenter.nextPresentation() }
    }
  }

  @Test func `a refusal that the test has got itself does not end its wait for the next prompt`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      await #expect(throws: RouterError.self) { try await ShowAction()(AlertState("two\nlines")) }
      async let choice = ShowAction()(question)
      try await presenter.press(id: "b1", on: try await presenter.nextPresentation())
      #expect(try await choice)
    }
  }

  private func pay() async throws -> String {
    try await navigate(from: AddressForm()) { address, proxy in
      try await proxy.show(Payment()).then { payment, _ in try await proxy.finish("\(address), \(payment.rawValue)") }
    }
  }

  @Test func `a script answers the screens of a flow in order`() async throws {
    try await withTestRouter { router async throws in
      let presenter = router.presenter(script: [.answer("Hill Road"), .dismiss, .answer("Mill Lane"), .answer("card")])
      #expect(try await pay() == "Mill Lane, card")
      #expect(presenter.shown.map(\.request.sheet) == ["AddressForm", "Payment", "Payment"])
    }
  }

  @Test func `the screens of a flow are taken by their types`() async throws {
    try await withTestRouter { router async throws in
      let presenter = router.presenter()
      async let paid = pay()
      try await presenter.next(AddressForm.self).answer("Hill Road")
      try await presenter.next(Payment.self).dismiss()
      try await presenter.next(AddressForm.self).answer("Mill Lane")
      try await presenter.next(Payment.self).answer(.card)
      #expect(try await paid == "Mill Lane, card")
    }
  }

  @Test func `the clock is a Clock for other code`() async throws {
    let clock = ManualClock()
    async let slept: Void = clock.sleep(for: .seconds(5))
    try await clock.untilSleeping()
    clock.advance(by: .seconds(5))
    try await slept
    #expect(clock.now.elapsed == .seconds(5))
  }

  @Test func `prefers the body's error to its own`() async throws {
    struct Wrong: Error {}
    await #expect(throws: Wrong.self) {
      try await withTestRouter { _ in
        ShowAction().post(question)
        throw Wrong()
      }
    }
  }

  @Test func `ends what was left, so that nothing waits forever`() async throws {
    let ends = Mutex<[String]>([])
    let left = try await complaint { _ in
      ShowAction().post(question, onDismiss: { ends.withLock { $0.append("called back") } })
    }
    #expect(left.hasSuffix("is still open"))
    #expect(ends.withLock(\.self) == ["called back"])
  }

  @Test func `keeps the clock still until the test advances it`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let outcome = ShowAction().result(of: question, options: { $0.timeout = .seconds(60) })
      _ = try await presenter.nextPresentation()
      router.clock.advance(by: .seconds(60))
      #expect(await outcome == .failure(.expired(.presented)))
    }
  }

  @Test func `provides a readable in-memory log`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.press("Delete")])
      _ = try await ShowAction()(question)
      let id = try #require(presenter.shown.first?.id)
      #expect(try await router.reader.presentation(id)?.outcome == .answered(.button("b1")))
      let kinds = try await router.reader.events(of: id).map(\.kind)
      #expect(kinds.prefix(3) == [.requested, .presented, .answered])
    }
  }
}
