import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The main path with the real daemon: ask on a socket, show one at a time, answer, log.
@Suite(.timeLimit(.minutes(10)))
struct MainJobTests {
  @Test func `shows three requests one after the other, and answers each`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let handles = ["one", "two", "three"].map { daemon.client.submit(.alert($0)) }
      let buttons = ["yes", "no", "yes"]
      for handle in handles { _ = try await handle.accepted() }
      for (index, button) in buttons.enumerated() {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title == ["one", "two", "three"][index])
        try await presenter.press(id: button, on: shown)
      }
      for (handle, button) in zip(handles, buttons) {
        #expect(try await handle.resolved().outcome == .answered(.button(button)))
      }
      let (page, _) = try await AuditReader(path: daemon.database).presentationPage(AuditQuery())
      #expect(page.map(\.request.title) == ["three", "two", "one"])
      #expect(page.allSatisfy { $0.presentedAt != nil && $0.resolvedAt != nil })
    }
  }

  @Test func `answers two hundred concurrent requests separately`() async throws {
    try await TestDaemon.run { daemon in
      let presenting = Task {
        try await daemon.client.run(EchoPresenter(), on: "main")
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { () async throws in
            let request = PresentationRequest(
              kind: .sheet, sheet: "number", payload: .integer(number))
            let answered = try await daemon.client.ask(request)
            #expect(answered.outcome == .answered(.value(.integer(number))))
          }
        }
        try await group.waitForAll()
      }
      presenting.cancel()
      let events = try await AuditReader(path: daemon.database).events(after: 0, limit: 10_000)
      #expect(events.count { $0.kind == .answered } == 200)
      #expect(events.map(\.seq) == Array(1...Int64(events.count)))
    }
  }

  @Test func `withdraws a killed requester's prompt, and shows the next one`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let curl = try ChildProcess(
        "/usr/bin/curl",
        ["-sS", "--unix-socket", daemon.socket, "http://routerd/v1/presentations", "-d", #"{"kind":"alert","title":"curl"}"#])
      let first = try await presenter.nextPresentation()
      #expect(first.requester.app == "curl")
      #expect(first.requester.process.pid == curl.pid)
      #expect(first.requester.process.executable == "/usr/bin/curl")
      let second = daemon.client.submit(.alert("next"))
      _ = try await second.accepted()
      curl.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal() == (first.id, .cancelled))
      let next = try await presenter.nextPresentation()
      #expect(next.request.title == "next")
      #expect(try await daemon.client.presentation(first.id).outcome == .cancelled(.requesterGone))
    }
  }

  @Test func `shows a prompt again after its presenter is killed`() async throws {
    try await TestDaemon.run { daemon in
      let curl = try ChildProcess(
        "/usr/bin/curl", ["-sSN", "--unix-socket", daemon.socket, "http://routerd/v1/surfaces/main/stream?name=killed"])
      let handle = daemon.client.submit(.alert("?"))
      for await line in curl.output where line.hasPrefix("event: present") { break }
      curl.signal(SIGKILL)
      let presenter = TestPresenter(daemon.client)
      var shown = try await presenter.nextPresentation()
      // The daemon may learn of the killed presenter late; until then both show the same.
      if shown.generation == 1 { shown = try await presenter.nextPresentation() }
      try await presenter.press(id: "yes", on: shown)
      #expect(try await handle.resolved().outcome == .answered(.button("yes")))
    }
  }

  @Test func `shows a child over its parent`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let form = daemon.client.submit(PresentationRequest(kind: .sheet, sheet: "form"))
      let parent = try await presenter.nextPresentation()
      var alert = PresentationRequest.alert("Save?")
      alert.over = parent.id
      let child = daemon.client.submit(alert)
      let shown = try await presenter.nextPresentation()
      #expect(try await daemon.client.presentation(parent.id).covered)
      try await presenter.press(id: "yes", on: shown)
      #expect(try await child.resolved().outcome == .answered(.button("yes")))
      try await presenter.answer(["done": true], on: try await presenter.nextPresentation())
      #expect(try await form.resolved().outcome == .answered(.value(["done": true])))
    }
  }
}

/// A presenter that answers with the payload.
private struct EchoPresenter: Presenter {
  let name = "echo"

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    .answer(.value(presentation.request.payload ?? .null))
  }
}
