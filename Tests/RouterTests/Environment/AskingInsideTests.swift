import Router
import RouterTesting
import Testing

/// Code inside a presentation asks on top of it: queued behind it, each would wait for the other.
@Suite(.timeLimit(.minutes(10)))
struct AskingInsideTests {
  private struct PickColor: Sheet {
    typealias Answer = String
  }

  private static let question = AlertState<Bool>("Sure?") { ButtonState("Yes", action: true) }

  private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    func callAsFunction(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// Answers each button with the first one, and asks before it answers a sheet.
  private struct ConfirmingPresenter: Presenter {
    let name = "confirming"
    let notes: Notes
    var answersAlerts = true
    var isNamed = false

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      notes("show \(presentation.request.heading)")
      if presentation.request.kind == .alert {
        if !answersAlerts { await untilCancelled() }
        return .answer(.button("b1"))
      }
      do {
        let over = isNamed ? presentation.id : nil
        let isSure = try await ShowAction()(AskingInsideTests.question, options: { $0.over = over })
        notes(Task.isCancelled ? "canceled" : "confirmed")
        return isSure ? .answer(.value("red")) : .dismiss
      } catch let error as NoAnswer {
        notes(error == .cancelled(.parentEnded) ? "parent ended" : "\(error)")
        return .dismiss
      }
    }

    func answerRefused(_ error: RouterError, for presentation: Presentation) async {
      notes("refused: \(error.code)")
    }
  }

  private func present(
    _ presenter: ConfirmingPresenter, on router: TestRouter, surface: String = "main", _ body: () async throws -> Void
  ) async throws {
    let presenting = Task { try await router.run(presenter, on: surface) }
    try await body()
    presenting.cancel()
    _ = await presenting.result
  }

  private func pickRed() async throws {
    let color = try await ShowAction()(PickColor())
    #expect(color == "red")
  }

  @Test func `an operation asks on top of its sheet`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter { $0.request.kind == .alert ? .press("Yes") : .leave }
      let choice = try await ShowAction().during(AppSheet.settings) { try await ShowAction()(Self.question) }
      #expect(choice)
      #expect(presenter.shown.map(\.request.kind) == [.sheet, .alert])
      #expect(presenter.shown[1].request.over == presenter.shown[0].id)
    }
  }

  @Test func `an operation asks on its sheet's surface, and elsewhere on its own`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(on: "kitchen") { $0.request.kind == .alert ? .press("Yes") : .leave }
      let hall = router.presenter(on: "hall", script: [.press("Yes")])
      let sheet = ShowAction()
      let choices = try await sheet.during(AppSheet.settings, options: { $0.surface = "kitchen" }) {
        let here = try await ShowAction()(Self.question)
        return [here, try await ShowAction()(Self.question, options: { $0.surface = "hall" })]
      }
      #expect(choices == [true, true])
      #expect(hall.shown.map(\.request.over) == [nil])
    }
  }

  @Test func `a presenter asks on top of what it shows, and keeps its task`() async throws {
    try await withTestRouter { router in
      let notes = Notes()
      try await present(ConfirmingPresenter(notes: notes), on: router) {
        for _ in 0..<2 { try await pickRed() }
      }
      #expect(notes.all == ["show PickColor", "show Sure?", "confirmed", "show PickColor", "show Sure?", "confirmed"])
    }
  }

  @Test func `a presenter that names what it asks over keeps its task too`() async throws {
    try await withTestRouter { router in
      let notes = Notes()
      let presenter = ConfirmingPresenter(notes: notes, isNamed: true)
      try await present(presenter, on: router) { try await pickRed() }
      #expect(notes.all == ["show PickColor", "show Sure?", "confirmed"])
    }
  }

  @Test func `a presenter of another surface asks there`() async throws {
    try await withTestRouter { router in
      let notes = Notes()
      try await present(ConfirmingPresenter(notes: notes), on: router, surface: "kitchen") {
        let color = try await ShowAction()(PickColor(), options: { $0.surface = "kitchen" })
        #expect(color == "red")
      }
      #expect(notes.all == ["show PickColor", "show Sure?", "confirmed"])
    }
  }

  @Test func `what a presenter asks may be answered by another one`() async throws {
    try await withTestRouter { router in
      let notes = Notes()
      let other = router.presenter("other") { $0.request.kind == .alert ? .press("Yes") : .leave }
      try await present(ConfirmingPresenter(notes: notes, answersAlerts: false), on: router) {
        try await pickRed()
      }
      #expect(notes.all.first == "show PickColor")
      #expect(notes.all.last == "confirmed")
      #expect(notes.all.count { $0 == "show PickColor" } == 1)
      #expect(other.shown.map(\.request.kind) == [.sheet, .alert])
    }
  }

  @Test func `a sheet that is taken back under a presenter's question ends both, and the next one is shown`() async throws {
    try await withTestRouter { router in
      let notes = Notes()
      let (steps, continuation) = AsyncStream<Presentation>.makeStream()
      _ = router.presenter("watching") { presentation in
        continuation.yield(presentation)
        return .leave
      }
      try await present(ConfirmingPresenter(notes: notes, answersAlerts: false), on: router) {
        let asking = Task { try await ShowAction()(PickColor()) }
        for await shown in steps where shown.request.kind == .alert { break }
        asking.cancel()
        await #expect(throws: NoAnswer.cancelled(.requester)) { try await asking.value }
        // It is shown by the same presenter.
        let next = Task { try await ShowAction()(PickColor()) }
        for await shown in steps where shown.request.kind == .alert { break }
        next.cancel()
        _ = await next.result
      }
      #expect(notes.all.count { $0 == "show PickColor" } == 2)
      #expect(notes.all.contains("parent ended"))
    }
  }

  @Test func `a question that is refused fails what the presenter shows, with the reason`() async throws {
    struct AlwaysAsking: Presenter {
      let name = "asking"

      func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
        .answer(.button(try await ShowAction()(AskingInsideTests.question) ? "b1" : "b2"))
      }
    }
    try await withTestRouter { router in
      let presenting = Task { try await router.run(AlwaysAsking()) }
      // Nothing may be stacked on what is stacked.
      guard case .failure(.failed(let detail)) = await ShowAction().result(of: Self.question) else {
        Issue.record("the question was not refused")
        return
      }
      #expect(detail.contains("cannot"))
      presenting.cancel()
      _ = await presenting.result
    }
  }
}
