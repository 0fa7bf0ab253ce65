import Router
import RouterTesting
import Testing

/// `withRouter` and `confirm`.
@Suite(.timeLimit(.minutes(10)))
struct FirstLinesTests {
  @Test(arguments: [
    (PresentationOutcome.answered(.button("b1")), true), (.answered(.button("b2")), false), (.dismissed, false),
  ])
  func `confirms or not`(outcome: PresentationOutcome, isConfirmed: Bool) async throws {
    let broker = ScriptedBroker(outcome)
    let result = try await withEnvironment(\.presentationBroker, broker) {
      try await confirm("Delete?", message: "All of it.", button: "Delete", destructive: true)
    }
    #expect(result == isConfirmed)
    let request = broker.requests[0]
    #expect(request.kind == .alert && request.title == "Delete?" && request.message == "All of it.")
    #expect(request.buttons.map(\.label) == ["Delete", "Cancel"])
    #expect(request.buttons.map(\.role) == [.destructive, .cancel])
  }

  @Test(arguments: [PresentationOutcome.expired(.queued), .cancelled(.admin), .failed("no screen")])
  func `throws if nobody decided`(outcome: PresentationOutcome) async {
    let broker = ScriptedBroker(outcome)
    await #expect(throws: NoAnswer.self) {
      try await withEnvironment(\.presentationBroker, broker) { try await confirm("Delete?") }
    }
  }

  @Test func `asks through an injected action`() async throws {
    let isConfirmed = try await withEnvironment(\.showAlert, ShowAction { (_: AlertState<Bool>) in true }) {
      try await confirm("Delete?")
    }
    #expect(isConfirmed)
  }

  /// Presses the first button of an alert, and leaves the rest open.
  private struct Person: Presenter {
    let name = "person"

    func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
      guard presentation.request.kind == .alert else {
        await untilCancelled()
        return .dismiss
      }
      return .answer(.button("b1"))
    }
  }

  @Test func `shows with a presenter, and ends what is left over`() async throws {
    let log = try AuditLog.inMemory()
    let closed = Mutex(0)
    let isConfirmed = try await withRouter(log: log, presenter: Person()) {
      let isConfirmed = try await confirm("Delete?")
      for _ in 0..<2 { ShowAction().post(AppSheet.settings, onDismiss: { closed.withLock { $0 += 1 } }) }
      return isConfirmed
    }
    #expect(isConfirmed && closed.withLock(\.self) == 2)
    let kinds = try await AuditReader(log).events(after: 0).map(\.kind)
    #expect(kinds.last == .daemonStopped && kinds.count { $0 == .cancelled } == 2)
  }

  @Test func `asks within the operation, also after an error`() async throws {
    struct Failure: Error {}
    #expect(try await withRouter(presenter: Person()) { try await confirm("Delete?") })
    let log = try AuditLog.inMemory()
    await #expect(throws: Failure.self) { try await withRouter(log: log, presenter: Person()) { throw Failure() } }
    #expect(try await AuditReader(log).events(after: 0).last?.kind == .daemonStopped)
  }
}
