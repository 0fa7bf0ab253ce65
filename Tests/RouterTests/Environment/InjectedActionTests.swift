import Router
import RouterTesting
import Testing

/// Actions that are set individually, with their own broker or a closure.
@Suite(.timeLimit(.minutes(10)))
struct InjectedActionTests {
  private struct Screen: Sendable {
    @Environment(\.showSheet) var showSheet
    @Environment(\.showFullScreenCover) var showFullScreenCover
    @Environment(\.showAlert) var showAlert
    @Environment(\.showConfirmationDialog) var showConfirmationDialog

    func askAll() async throws {
      try await showSheet(AppSheet.settings)
      try await showFullScreenCover(AppSheet.settings)
      _ = await showAlert.result(of: InjectedActionTests.question)
      _ = await showConfirmationDialog.result(of: ConfirmationDialogState<Bool>("Which?") { ButtonState("Yes", action: true) })
    }
  }

  private static let question = AlertState<Bool>("Sure?") { ButtonState("Yes", action: true) }
  private let general = ScriptedBroker(.dismissed)
  private let own = ScriptedBroker(.dismissed)

  private func kinds(_ broker: ScriptedBroker) -> [PresentationKind] { broker.requests.map(\.kind) }

  @Test(arguments: PresentationKind.allCases)
  func `sets one action, and no other`(kind: PresentationKind) async throws {
    try await withEnvironment {
      $0.presentationBroker = general
      let action = ShowAction(own)
      switch kind {
      case .sheet: $0.showSheet = action
      case .fullScreenCover: $0.showFullScreenCover = action
      case .alert: $0.showAlert = action
      case .confirmationDialog: $0.showConfirmationDialog = action
      }
    } operation: {
      try await Screen().askAll()
    }
    #expect(kinds(own) == [kind])
    #expect(kinds(general) == [.sheet, .fullScreenCover, .alert, .confirmationDialog].filter { $0 != kind })
  }

  @Test func `the broker sets all actions`() async throws {
    try await withEnvironment(\.showAlert, ShowAction(own)) {
      try await withEnvironment(\.presentationBroker, general) { try await Screen().askAll() }
    }
    #expect(own.requests.isEmpty && general.requests.count == 4)
  }

  @Test func `takes the options of the environment that asks`() async throws {
    await withEnvironment(\.showAlert, ShowAction(own)) {
      await withEnvironment(\.presentationOptions, PresentationOptions(surface: "ops")) {
        _ = await Screen().showAlert.result(of: Self.question)
      }
    }
    #expect(own.requests.map(\.surface) == ["ops"])
  }

  // MARK: Closures

  @Test func `answers prompts of a type with a closure`() async throws {
    let action = ShowAction { (sheet: PickAddress) in sheet.recent.first }
    try await withEnvironment(\.showSheet, action) {
      let showSheet = Screen().showSheet
      let address = try await showSheet(PickAddress(recent: [Address(street: "Hill Road")]))
      #expect(address == Address(street: "Hill Road"))
      #expect(await showSheet.result(of: PickAddress(recent: [])) == .failure(.dismissed))
      let error = await #expect(throws: RouterError.self) { try await showSheet(PickNickname()) }
      #expect(error?.code == .notInjected)
      #expect(error?.message == "cannot show a PickNickname: the action of the environment answers only a PickAddress")
    }
  }

  @Test func `answers prompts of all types with a closure, and says what does not fit`() async throws {
    let action = ShowAction(answeringAll: { prompt in
      switch prompt {
      case is PickAddress: Address(street: "Hill Road")
      case is AlertState<Bool>: "yes"
      default: nil
      }
    })
    try await withEnvironment {
      ($0.showSheet, $0.showAlert) = (action, action)
    } operation: {
      let screen = Screen()
      #expect(try await screen.showSheet(PickAddress(recent: [])) == Address(street: "Hill Road"))
      try await screen.showSheet(AppSheet.settings)
      let error = await #expect(throws: RouterError.self) { try await screen.showAlert(Self.question) }
      #expect(error?.message == "cannot read the answer to the alert as Bool: the action's closure returned a String")
    }
  }

  @Test func `a closure's error is the caller's, and a canceled task does not ask`() async throws {
    struct Failure: Error {}
    await withEnvironment(\.showAlert, ShowAction { (_: AlertState<Bool>) in throw Failure() }) {
      _ = await #expect(throws: Failure.self) { try await Screen().showAlert(Self.question) }
    }
    let asked = Mutex(0)
    let action = ShowAction { (_: AlertState<Bool>) in
      asked.withLock { $0 += 1 }
      return true
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await withEnvironment(\.showAlert, action) { await Screen().showAlert.result(of: Self.question) }
    }
    #expect(await task.value == .failure(.cancelled(.requester)))
    #expect(asked.withLock(\.self) == 0)
  }

  @Test func `posts to a closure in order, and calls back once for each`() async throws {
    let (lines, line) = AsyncStream<String>.makeStream()
    let action = ShowAction { (sheet: PickAddress) in
      line.yield(sheet.recent[0].street)
      return nil
    }
    withEnvironment(\.showSheet, action) {
      for street in ["a", "b", "c"] {
        Screen().showSheet(PickAddress(recent: [Address(street: street)])) { line.yield("closed \(street)") }
      }
    }
    var all: [String] = []
    for await line in lines.prefix(6) { all.append(line) }
    #expect(all == ["a", "closed a", "b", "closed b", "c", "closed c"])
  }

  @Test func `returns a handle for what a closure answers, which can be canceled`() async throws {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let action = ShowAction { (sheet: PickAddress) in
      if sheet.recent.isEmpty {
        ask.yield()
        await untilCancelled()
        throw CancellationError()
      }
      return sheet.recent.first
    }
    let (waiting, next, refused) = withEnvironment(\.showSheet, action) {
      (
        Screen().showSheet.post(PickAddress(recent: [])), Screen().showSheet.post(PickAddress(recent: [Address(street: "a")])),
        Screen().showSheet.post(AppSheet.settings)
      )
    }
    for await _ in asked.prefix(1) {}
    waiting.cancel()
    #expect(try await waiting.outcome() == .cancelled(.requester))
    #expect(try await next.outcome() == .answered(.redacted))
    #expect(try await next.accepted().request.sheet == "PickAddress")
    let error = await #expect(throws: RouterError.self) { try await refused.outcome() }
    #expect(error?.code == .notInjected)
  }

  @Test func `shows without waiting, and calls back once`() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    withEnvironment(\.presentationBroker, general) {
      Screen().showSheet(AppSheet.settings) { end.yield() }
    }
    for await _ in ends.prefix(1) {}
    #expect(general.requests.map(\.sheet) == ["settings"])
  }

  // MARK: Inside a presentation

  /// Queued behind the sheet, the alert would wait for it, and the sheet for the alert.
  @Test func `stacks on what the same broker shows`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(answering: { presentation in
        presentation.request.kind == .alert ? .press("Yes") : .leave
      })
      try await withEnvironment(\.showAlert, ShowAction(router)) {
        try await Screen().showSheet.during(AppSheet.settings) {
          let isSure = try await Screen().showAlert(Self.question)
          #expect(isSure)
        }
      }
      #expect(presenter.shown.map(\.level) == [0, 1])
    }
  }

  @Test func `leaves another broker and a closure as they are`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(answering: { _ in .leave })
      try await withEnvironment(\.showAlert, ShowAction { (_: AlertState<Bool>) in true }) {
        try await withEnvironment(\.showConfirmationDialog, ShowAction(own)) {
          try await Screen().showSheet.during(AppSheet.settings) {
            let isSure = try await Screen().showAlert(Self.question)
            #expect(isSure)
            _ = await Screen().showConfirmationDialog.result(of: ConfirmationDialogState<Bool>("Which?") {})
          }
        }
      }
      #expect(own.requests.map(\.over) == [nil])
    }
  }
}
