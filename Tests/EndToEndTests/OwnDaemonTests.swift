import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Tests of users over a daemon that the test starts.
@Suite(.timeLimit(.minutes(10)))
struct OwnDaemonTests {
  private let question = AlertState<Bool>("Delete?") { ButtonState("Delete", action: true) }

  /// A test of a program that asks.
  private func program(_ broker: some TestBroker) async throws {
    let presenter = broker.presenter("person", script: [.press("Delete"), .dismiss, .answer("red")])
    #expect(try await ShowAction()(question))
    await #expect(throws: NoAnswer.dismissed) { try await ShowAction()(question) }
    #expect(try await ShowAction()(PickColor()) == "red")
    #expect(presenter.shown.map(\.request.kind) == [.alert, .alert, .sheet])
    for shown in presenter.shown {
      #expect(try await broker.reader.presentation(shown.id)?.resolvedBy?.presenter == "person")
    }
  }

  @Test func `runs the same test in its process and over its own daemon`() async throws {
    try await withTestRouter { try await program($0) }
    try await withTestDaemon { try await program($0) }
  }

  /// Returns the text of the first issue of a test body over a daemon.
  private func complaint(
    patience: Duration = .seconds(10), _ body: (RouterTesting.TestDaemon) async throws -> Void
  ) async throws -> String {
    let found = Mutex<[String]>([])
    try await withKnownIssue {
      try await withTestDaemon(patience: patience, operation: body)
    } matching: { issue in
      found.withLock { $0.append(issue.comments.first?.rawValue ?? "\(issue)") }
      return true
    }
    return try #require(found.withLock(\.self).first)
  }

  @Test func `fails a test that leaves something behind`() async throws {
    let open = try await complaint { _ in ShowAction().post(question) }
    #expect(open.hasPrefix("cannot pass: the alert \"Delete?\" (") && open.hasSuffix(", surface main) is still open"))
    let unread = try await complaint { daemon in
      let presenter = daemon.presenter()
      _ = daemon.submit(PresentationRequest(question))
      try await presenter.press("Delete", on: try await presenter.nextPresentation())
    }
    #expect(unread.hasPrefix("cannot pass: the answer to the alert \"Delete?\" (") && unread.hasSuffix(") was never read"))
  }

  @Test func `withRouter ends its prompts, and returns after their callbacks`() async throws {
    try await withTestDaemon { daemon in
      let presenter = daemon.presenter()
      let called = Mutex(0)
      try await withRouter(daemon.client) {
        ShowAction().post(question) { called.withLock { $0 += 1 } }
        ShowAction().post(question) { called.withLock { $0 += 1 } }
        try await presenter.press("Delete", on: try await presenter.nextPresentation())
        _ = try await presenter.nextPresentation()
      }
      #expect(called.withLock(\.self) == 2)
      #expect(try await daemon.presentations(surface: nil).isEmpty)
    }
  }

  @Test func `accepts an answer that nobody waits for`() async throws {
    try await withTestDaemon { daemon in
      let presenter = daemon.presenter()
      ShowAction().post(question)
      try await presenter.press("Delete", on: try await presenter.nextPresentation())
    }
  }

  @Test func `fails a test that stalls`() async throws {
    let stall = try await complaint(patience: .seconds(1)) { daemon in _ = try await daemon.presenter().nextPresentation() }
    #expect(stall == "nothing happened for 1 second: the presenter test waits for a prompt, and nothing is open")
  }

  @Test func `stops the daemon and removes its files when the test throws or is canceled`() async throws {
    struct Wrong: Error {}
    let sockets = Mutex<[String]>([])
    await #expect(throws: Wrong.self) {
      try await withTestDaemon { daemon in
        sockets.withLock { $0.append(daemon.client.socketPath) }
        throw Wrong()
      }
    }
    let testing = Task {
      try await withTestDaemon { daemon in
        sockets.withLock { $0.append(daemon.client.socketPath) }
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await testing.value }
    for socket in sockets.withLock(\.self) {
      #expect(!FileManager.default.fileExists(atPath: URL(filePath: socket).deletingLastPathComponent().path))
      await #expect(throws: RouterError.self) { try await RouterClient(socketPath: socket).checkHealth() }
    }
  }

  @Test func `shows the daemon's output if it does not start`() async throws {
    let wrong = await #expect(throws: RouterError.self) {
      try await withTestDaemon(configuration: "not: a setting\n") { _ in Issue.record("the test ran") }
    }
    #expect(wrong?.message.hasPrefix("cannot start routerd: ") == true && wrong?.message.contains("not") == true)
    let missing = await #expect(throws: RouterError.self) {
      try await withTestDaemon(routerd: "/nonexistent/routerd") { _ in Issue.record("the test ran") }
    }
    #expect(missing?.message == "cannot start /nonexistent/routerd: No such file or directory")
  }
}
