import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Requesters and presenters that wait across a restart of the daemon.
@Suite(.timeLimit(.minutes(10)))
struct ReconnectTests {
  /// Returns the events that ended a presentation.
  private func ends(_ id: PresentationID, _ daemon: TestDaemon) async throws -> [AuditEvent.Kind] {
    let ends: Set<AuditEvent.Kind> = [.answered, .dismissed, .cancelled, .expired, .failed]
    return try await AuditReader(path: daemon.database).events(of: id).map(\.kind).filter { ends.contains($0) }
  }

  // MARK: Through the library

  @Test(arguments: [SIGKILL, SIGTERM])
  func `keeps showSheet waiting across a restart`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let client = daemon.returningClient()
      let presenter = TestPresenter(client)
      let aside = TestPresenter(client, on: "aside")
      let notes = Notes()
      let waiting = Task {
        try await withEnvironment(\.presentationBroker, client) { try await ShowAction()(PickColor()) }
      }
      let first = try await presenter.nextPresentation()
      withEnvironment(\.presentationBroker, client) {
        let options = PresentationOptions(surface: "aside")
        ShowAction().post(AppSheet.settings, options: { $0 = options }, onDismiss: { notes.note("dismissed") })
      }
      let settings = try await aside.nextPresentation()
      await daemon.end(by: signal)
      #expect(try await presenter.nextWithdrawal() == (first.id, .disconnected))
      let next = try await daemon.next()
      let again = try await presenter.nextPresentation()
      #expect((again.id, again.generation) == (first.id, 2))
      try await presenter.answer("blue", on: again)
      #expect(try await waiting.value == "blue")
      let settingsAgain = try await aside.nextPresentation()
      #expect((settingsAgain.id, settingsAgain.generation) == (settings.id, 2))
      try await aside.dismiss(settingsAgain)
      #expect(await notes.next() == ["dismissed"])
      #expect(try await ends(first.id, next) == [.answered])
      #expect(try await ends(settings.id, next) == [.dismissed])
      // Callbacks of one client run in order: a second call would come before this one.
      client.submit(.alert("last")) { notes.note("last") }.cancel()
      #expect(await notes.next() == ["last"])
    }
  }

  @Test func `delivers a recorded answer after the daemon is killed`() async throws {
    try await TestDaemon.run { daemon in
      var current = daemon
      for _ in 0..<5 {
        let handle = current.returningClient().submit(.alert("?"))
        let presenter = TestPresenter(current.client)
        let shown = try await presenter.nextPresentation()
        try await presenter.press(id: "yes", on: shown)
        // The program may or may not have received it by now.
        await current.end(by: SIGKILL)
        current = try await current.next()
        #expect(try await handle.resolved().outcome == .answered(.button("yes")))
        #expect(try await ends(shown.id, current) == [.answered])
      }
    }
  }

  @Test func `answers many concurrent requests separately across several restarts`() async throws {
    try await TestDaemon.run { daemon in
      let client = daemon.returningClient()
      let surfaces = ["one", "two", "three"]
      let presenters = surfaces.map { TestPresenter(client, on: $0) }
      let handles = (0..<24).map { number in
        var request = PresentationRequest(kind: .sheet, sheet: "number")
        request.payload = .integer(number)
        request.surface = surfaces[number % 3]
        return client.submit(request)
      }
      for handle in handles { _ = try await handle.accepted() }
      var current = daemon
      for round in 0..<4 {
        for (presenter, surface) in zip(presenters, surfaces) {
          for _ in 0..<2 { try await answerNext(presenter, on: surface) }
        }
        guard round < 3 else { continue }
        await current.end(by: round % 2 == 0 ? SIGKILL : SIGTERM)
        current = try await current.next()
      }
      for (number, handle) in handles.enumerated() {
        let ended = try await handle.resolved()
        #expect(ended.outcome == .answered(.value(.array([.integer(number)]))))
        #expect(try await ends(ended.id, current) == [.answered])
      }
      for presenter in presenters { presenter.disconnect() }
    }
  }

  /// Answers the next prompt with its own payload, skipping showings that a restart has ended.
  private func answerNext(_ presenter: TestPresenter, on surface: String) async throws {
    while true {
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.surface == surface)
      do {
        try await presenter.answer(.array([shown.request.payload ?? .null]), on: shown)
        return
      } catch let error as RouterError where error.code == .staleGeneration || error.code == .notPresented {
      }
    }
  }

  @Test func `ends at once when canceled while the daemon is away, and is not shown again`() async throws {
    try await TestDaemon.run { daemon in
      let client = daemon.returningClient()
      let waiting = Task { try await client.submit(.alert("?")).resolved() }
      let shown = try await TestPresenter(daemon.client).nextPresentation()
      await daemon.end(by: SIGKILL)
      waiting.cancel()
      #expect(try await waiting.value.outcome == .cancelled(.requester))
      let next = try await daemon.next(environment: ["ROUTERD_GRACE_SECONDS": "1"])
      #expect(try await next.client.presentation(shown.id, wait: .seconds(60)).outcome == .cancelled(.interrupted))
      #expect(try await ends(shown.id, next) == [.cancelled])
    }
  }

  @Test func `reports the socket of a daemon that does not come back`() async throws {
    try await TestDaemon.run { daemon in
      let client = daemon.returningClient(patience: .milliseconds(200))
      let notes = Notes()
      let handle = client.submit(.alert("?")) { notes.note("called") }
      _ = try await handle.accepted()
      await daemon.end(by: SIGKILL)
      let error = await #expect(throws: RouterError.self) { try await handle.resolved() }
      #expect(error?.code == .unreachable)
      #expect(error?.message == "routerd at \(daemon.socket) has been unreachable for more than 0.2 seconds")
      #expect(await notes.next() == ["called"])
    }
  }

  // MARK: Through the command line

  private func routerctl(_ daemon: TestDaemon, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments + ["--socket", daemon.socket])
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `returns the answer to a waiting routerctl after a restart`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let script = try routerctl(daemon, ["alert", "Deploy?", "--button", "yes=Yes", "--button", "no=No"])
      let first = try await TestPresenter(daemon.client).nextPresentation()
      await daemon.end(by: signal)
      #expect(await script.line(with: "waiting for routerd") == "routerctl: waiting for routerd at \(daemon.socket)")
      let next = try await daemon.next()
      let presenter = TestPresenter(next.client)
      let again = try await presenter.nextPresentation()
      #expect(again.id == first.id)
      #expect(await script.line(with: "reconnected") == "routerctl: reconnected to routerd")
      try await presenter.press(id: "no", on: again)
      #expect(await script.allOutput() == ["no"])
      await script.expectExit()
      #expect(try await ends(first.id, next) == [.answered])
    }
  }

  @Test func `exits on Ctrl-C while routerd is away`() async throws {
    try await TestDaemon.run { daemon in
      let script = try routerctl(daemon, ["confirm", "Deploy?"])
      _ = try await TestPresenter(daemon.client).nextPresentation()
      await daemon.end(by: SIGKILL)
      #expect(await script.line(with: "waiting for routerd") != nil)
      script.signal(SIGINT)
      await script.expectExit(128 + SIGINT)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func `waits for a daemon that is restarting`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      await daemon.end(by: signal)
      let script = try routerctl(daemon, ["confirm", "Deploy?"])
      #expect(await script.line(with: "waiting for routerd") != nil)
      let next = try await daemon.next()
      let presenter = TestPresenter(next.client)
      let shown = try await presenter.nextPresentation()
      try await presenter.press(id: "yes", on: shown)
      await script.expectExit()
      #expect(try await ends(shown.id, next) == [.answered])
    }
  }

  @Test func `gives up when the patience is over`() async throws {
    try await TestDaemon.run { daemon in
      let script = try routerctl(daemon, ["confirm", "Deploy?", "--patience", "200ms"])
      _ = try await TestPresenter(daemon.client).nextPresentation()
      await daemon.end(by: SIGKILL)
      #expect(await script.line(with: "routerd at \(daemon.socket) has been unreachable") != nil)
      await script.expectExit(69)
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `reattaches routerctl present after a restart`(signal: Int32) async throws {
    try await TestDaemon.run { daemon in
      let presenting = try routerctl(daemon, ["present", "--name", "robot", "--exec", "echo yes"])
      let before = try await daemon.client.ask(.alert("before"))
      #expect(before.outcome == .answered(.button("yes")))
      await daemon.end(by: signal)
      #expect(await presenting.line(with: "waiting for routerd") != nil)
      let next = try await daemon.next()
      let after = try await next.client.ask(.alert("after"))
      #expect(after.outcome == .answered(.button("yes")))
      #expect(after.resolvedBy?.presenter == "robot")
      presenting.signal(SIGTERM)
      await presenting.expectExit(128 + SIGTERM)
    }
  }
}
