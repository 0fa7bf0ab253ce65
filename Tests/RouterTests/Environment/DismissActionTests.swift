import Logging
import Router
import RouterTesting
import Testing

/// `dismiss` ends the enclosing presentation only.
@Suite(.timeLimit(.minutes(10)))
struct DismissActionTests {
  /// A presenter whose `present` closure can dismiss its own presentation.
  private struct ClosingPresenter: Presenter {
    let name = "closing"
    let body: @Sendable (Presentation) async throws -> PresenterResponse

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      try await body(presentation)
    }

    func answerRefused(_ error: RouterError, for presentation: Presentation) async {
      Issue.record("a second answer was given: \(error)")
    }
  }

  /// Runs a body while a presenter is attached to a router.
  private func present(
    on router: TestRouter, with present: @escaping @Sendable (Presentation) async throws -> PresenterResponse,
    _ body: () async throws -> Void
  ) async throws {
    let presenting = Task { try await router.run(ClosingPresenter(body: present)) }
    defer { presenting.cancel() }
    try await body()
  }

  @Test func `dismisses the presentation from within its presenter`() async throws {
    try await withTestRouter { router in
      try await present(on: router) { _ in
        #expect(EnvironmentValues.current.isPresented)
        for _ in 0..<2 {
          let outcome = try await EnvironmentValues.current.dismiss.outcome()
          #expect(outcome == .dismissed)
        }
        return .answer(.button("b1"))
      } _: {
        #expect(
          await ShowAction().result(of: AlertState<Int>("One?") { ButtonState("One", action: 1) }) == .failure(.dismissed))
        #expect(
          await ShowAction().result(of: AlertState<Int>("Two?") { ButtonState("Two", action: 2) }) == .failure(.dismissed))
      }
    }
  }

  @Test func `dismisses from a presenter's child task without waiting, and ignores what present does next`() async throws {
    struct Gone: Error {}
    try await withTestRouter { router in
      try await present(on: router) { _ in
        async let child: Void = EnvironmentValues.current.dismiss()
        await child
        throw Gone()
      } _: {
        #expect(await ShowAction().result(of: AppSheet.settings) == .failure(.dismissed))
        let events = try await router.reader.events(after: 0)
        #expect(!events.contains { $0.kind == .failed })
      }
    }
  }

  @Test func `a detached task has no enclosing presentation`() async throws {
    try await withTestRouter { router in
      try await present(on: router) { _ in
        await Task.detached {
          #expect(!EnvironmentValues.current.isPresented)
          await #expect(throws: RouterError.self) { try await EnvironmentValues.current.dismiss.outcome() }
        }.value
        return .dismiss
      } _: {
        #expect(await ShowAction().result(of: AppSheet.settings) == .failure(.dismissed))
      }
    }
  }

  @Test func `a requested presentation is not an enclosing one`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      let log = Lines()
      withEnvironment(\.presentationLogger, log.logger) {
        ShowAction().post(AppSheet.settings)
        DismissAction()()
      }
      #expect(log.lines.map(\.message) == ["cannot dismiss"])
      try await presenter.dismiss(try await presenter.nextPresentation())
    }
  }

  @Test func `ends the innermost presentation`() async throws {
    let ended = Mutex<[String]>([])
    func enclosing(_ name: String) -> EnclosingPresentation {
      EnclosingPresentation {
        ended.withLock { $0.append(name) }
        return .dismissed
      }
    }
    try await withEnvironment(\.enclosingPresentation, enclosing("outer")) {
      _ = try await withEnvironment(\.enclosingPresentation, enclosing("inner")) { try await DismissAction().outcome() }
      _ = try await DismissAction().outcome()
    }
    #expect(ended.withLock(\.self) == ["inner", "outer"])
  }

  @Test func `returns the outcome of an ended presentation and logs why another cannot be dismissed`() async throws {
    let answered = EnclosingPresentation { throw RouterError(.resolved, "cannot", outcome: .answered(.button("b1"))) }
    let outcome = try await withEnvironment(\.enclosingPresentation, answered) { try await DismissAction().outcome() }
    #expect(outcome == .answered(.button("b1")))
    let log = Lines()
    withEnvironment {
      $0.enclosingPresentation = EnclosingPresentation { throw RouterError(.covered, "cannot act on it") }
      $0.presentationLogger = log.logger
    } operation: {
      DismissAction()()
    }
    for await line in log.stream {
      #expect(line.level == .critical)
      #expect(line.metadata["code"] == "covered")
      break
    }
  }
}
