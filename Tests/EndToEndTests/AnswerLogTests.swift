import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// Yes, no and other answers, told apart in the log.
@Suite(.timeLimit(.minutes(10)))
struct AnswerLogTests {
  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", ["log"] + arguments + ["--database", daemon.database])
  }

  /// Two yes, one no, one of several buttons, a value and a dismissal.
  private func answerAll(_ daemon: TestDaemon) async throws {
    let presenter = TestPresenter(daemon.client)
    let dialog = PresentationRequest(
      kind: .confirmationDialog, title: "Which?",
      buttons: [PresentationRequest.Button(id: "c1", label: "One"), PresentationRequest.Button(id: "c2", label: "Two")])
    let requests = [.alert("a"), .alert("b"), .alert("c"), dialog, PresentationRequest(kind: .sheet, sheet: "s"), .alert("d")]
    let answers: [PresenterResponse] = [
      .answer(.button("yes")), .answer(.button("yes")), .answer(.button("no")), .answer(.button("c1")),
      .answer(.value("x")), .dismiss,
    ]
    for (request, answer) in zip(requests, answers) {
      let handle = daemon.client.submit(request)
      let shown = try await presenter.nextPresentation()
      switch answer.answer {
      case .button(let id): try await presenter.press(id: id, on: shown)
      case .value(let value): try await presenter.answer(value, on: shown)
      case .redacted, nil: _ = try await daemon.client.dismiss(shown.id)
      }
      _ = try await handle.resolved()
    }
  }

  @Test func `answers are filtered and counted by what they come to`() async throws {
    try await TestDaemon.run { daemon in
      try await answerAll(daemon)
      func titles(_ answer: String) async throws -> [String] {
        let lines = await (try routerctl("--answer", answer, "--json", on: daemon)).allOutput()
        return try lines.map { try Presentation(json: JSONValue(parsing: $0)).request.heading }
      }
      #expect(try await titles("yes") == ["a", "b"])
      #expect(try await titles("no") == ["c"])
      #expect(try await titles("other,no") == ["c", "Which?", "s"])
      let page = try await daemon.client.log(["answer": "no"])["presentations"]?.array
      #expect(page?.map { $0["request"]?["title"]?.string } == ["c"])
      let reader = try AuditReader(path: daemon.database)
      let statistics = try await reader.statistics()
      #expect(statistics.total.outcomes == [.answered: 5, .dismissed: 1])
      #expect(statistics.total.answers == [.other: 2, .yes: 2, .no: 1])
      #expect(statistics.groups[.answer]?.map(\.key) == ["other", "yes", "dismissed", "no"])
      #expect(try AuditStatistics(json: statistics.json) == statistics)
      var noes = AuditQuery()
      noes.answers = [.no]
      #expect(try await reader.statistics(noes).total.answers == [.no: 1])
      await (try routerctl("verify", on: daemon)).expectExit()
    }
  }

  @Test func `events show the labels of answers without the request in the listing`() async throws {
    try await TestDaemon.run { daemon in
      try await answerAll(daemon)
      let field = FormSchema.Property(name: "days", kind: .array, choices: ["mo", "tu"], choiceTitles: ["Monday", "Tuesday"])
      let form = PresentationRequest(kind: .sheet, sheet: "s", schema: FormSchema(properties: [field]))
      let presenter = TestPresenter(daemon.client)
      let handle = daemon.client.submit(form)
      try await presenter.answer(["days": ["tu", "mo"]], on: try await presenter.nextPresentation())
      _ = try await handle.resolved()
      let reader = try AuditReader(path: daemon.database)
      // A page of the events after the last request has no request.
      let events = try await reader.eventPage(AuditQuery()).page
      let button = try #require(events.first { $0.detail["outcome"]?["button"] == "c1" })
      let since = ["--events", "--since", button.at.description]
      let lines = await (try ChildProcess("routerctl", ["log"] + since + ["--database", daemon.database])).allOutput()
      #expect(lines.contains { $0.contains("One [c1], by") }, "\(lines)")
      let newest = await (try routerctl("--events", "-n2", on: daemon)).allOutput()
      #expect(newest.contains { $0.contains("days: Tuesday, Monday") } && newest.count == 2, "\(newest)")
    }
  }

  @Test func `a terminal has labels in the log, short times and long output in the pager`() async throws {
    try await TestDaemon.run { daemon in
      try await answerAll(daemon)
      let program = ChildProcess.products.appending(path: "routerctl").path
      let log = "\(program) log --database \(daemon.database)"
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.run("clear; \(log)")
        let text = try await terminal.text()
        #expect(text.contains("all rows: app tests"))
        #expect(text.contains(" No ") && text.contains(" One ") && !text.contains("answered/"))
        #expect(text.components(separatedBy: "\n").allSatisfy { $0.count <= 80 })
        try await terminal.keep("log-80")
        try await terminal.run("clear; \(program) log show --last --database \(daemon.database)")
        let story = try await terminal.text()
        #expect(story.contains("buttons    Yes, No"), "\(story)")
        try await terminal.run("clear; PAGER='sed s/^/paged:/' \(log) -n1")
        #expect(try await terminal.text().contains("paged:"))
        try await terminal.type(
          "clear; for i in 1 2 3 4 5; do \(log) --events; done | wc -l; PAGER=less \(log) --events", "Enter")
        try await terminal.until { $0.contains("\n:") || $0.hasSuffix(":") }
        try await terminal.press("C-c")
        // less drops what is typed until it has handled Ctrl-C.
        repeat { try await terminal.type("G") } while try await !terminal.text().contains("(END)")
        try await terminal.type("q")
        try await terminal.untilShell()
        try await terminal.run("echo left")
      }
    }
  }
}
