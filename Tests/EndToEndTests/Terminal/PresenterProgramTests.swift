import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl present --exec` with the programs of `Config/presenters`, and the input of such programs.
@Suite(.timeLimit(.minutes(10)))
struct PresenterProgramTests {
  /// `Config/presenters` of this package.
  private static let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Config/presenters").path

  private func present(_ command: String, on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", ["present", "--socket", daemon.socket, "--name", "program", "--exec", command])
  }

  /// Runs a presenter with a rules file in the daemon's directory.
  private func withRules(_ rules: String, body: (TestDaemon, _ file: String) async throws -> Void) async throws {
    try await TestDaemon.run { daemon in
      let file = daemon.directory + "/rules.json"
      try rules.write(toFile: file, atomically: true, encoding: .utf8)
      let presenter = try present("'\(Self.programs)/rules' '\(file)'", on: daemon)
      defer { presenter.signal(SIGTERM) }
      try await body(daemon, file)
    }
  }

  @Test func `answers with the first matching rule`() async throws {
    let rules = """
      [
        {"match": {"app": "tests", "title": "Mount *", "metadata.disk": "sd?"}, "answer": {"button": "yes"}},
        {"match": {"kind": "sheet", "sheet": "number"}, "answer": {"value": {"n": 3}}},
        {"match": {"sheet": "form"}, "answer": {"typed": {"name": "Ada", "age": "36"}}},
        {"match": {"command": "git status*"}, "answer": {"button": "no"}},
        {"match": {"title": "Never"}, "answer": {"fail": "nobody is here"}},
        {"match": {"uid": \(getuid()), "executable": "*", "ancestor": "/*", "title": "[A-Z]*"}, "answer": {"dismiss": true}}
      ]
      """
    try await withRules(rules) { daemon, _ in
      func outcome(_ request: PresentationRequest) async throws -> PresentationOutcome? {
        try await daemon.client.submit(request).resolved().outcome
      }
      var mount = PresentationRequest.alert("Mount the disk?")
      mount.metadata = ["disk": "sda"]
      let outcome1 = try await outcome(mount)
      #expect(outcome1 == .answered(.button("yes")))
      let outcome2 = try await outcome(PresentationRequest(kind: .sheet, sheet: "number"))
      #expect(outcome2 == .answered(.value(["n": 3])))
      let schema = FormSchema(properties: [
        FormSchema.Property(name: "name", kind: .string, isRequired: true), FormSchema.Property(name: "age", kind: .integer),
      ])
      let form = PresentationRequest(kind: .fullScreenCover, sheet: "form", schema: schema)
      let outcome3 = try await outcome(form)
      #expect(outcome3 == .answered(.value(["name": "Ada", "age": 36])))
      let outcome4 = try await outcome(.alert("Never"))
      #expect(outcome4 == .failed("nobody is here"))
      let outcome5 = try await outcome(.alert("Mount the tape?"))
      #expect(outcome5 == .dismissed)
      var command = PresentationRequest.alert("Never")
      command.attachments = [.init(.command, "git status --short")]
      #expect(try await outcome(command) == .answered(.button("no")))
      // What comes along with a command is not read by the rule.
      command.attachments.append(.init(.diff, "+x"))
      #expect(try await outcome(command) == .failed("nobody is here"))
    }
  }

  @Test func `leaves prompts that no rule matches to others`() async throws {
    try await withRules(#"[{"match": {"title": "mine"}, "answer": {"button": "yes"}}]"#) { daemon, _ in
      let person = TestPresenter(daemon.client, name: "person")
      let handle = daemon.client.submit(.alert("somebody's"))
      try await person.press(id: "no", on: try await person.nextPresentation())
      #expect(try await handle.resolved().outcome == .answered(.button("no")))
      #expect(try await daemon.client.submit(.alert("mine")).resolved().resolvedBy?.presenter == "program")
    }
  }

  @Test(arguments: [
    ("nonsense", "cannot read"), ("{}", "the rules must be an array"),
    (#"[{"match": {}}]"#, "rule 1 must have match and answer"),
    (#"[{"match": {"titel": "x"}, "answer": {"dismiss": true}}]"#, "nothing is called titel"),
    (#"[{"match": {"executable": "/usr/bin/backup"}, "answer": {"dismiss": true}}]"#, "rule 1: executable needs uid beside it"),
    (#"[{"match": {"ancestor": "*", "app": "a"}, "answer": {"dismiss": true}}]"#, "rule 1: ancestor needs uid beside it"),
    (#"[{"match": {}, "answer": {"press": "yes"}}]"#, "rule 1: answer must be one of"),
    (#"[{"match": {}, "answer": {"dismiss": true}, "after": -1}]"#, "after must be 0 to 86400"),
  ])
  func `fails the prompt with a reason if the rules are invalid`(rules: String, why: String) async throws {
    try await withRules(rules) { daemon, _ in
      guard case .failed(let detail) = try await daemon.client.submit(.alert("?")).resolved().outcome else {
        Issue.record("it has not failed")
        return
      }
      #expect(detail.contains(why), "\(detail)")
    }
  }

  @Test func `applies changed rules to the next prompt`() async throws {
    try await withRules(#"[{"match": {}, "answer": {"button": "yes"}}]"#) { daemon, file in
      #expect(try await daemon.client.submit(.alert("a")).resolved().outcome == .answered(.button("yes")))
      try #"[{"match": {}, "answer": {"button": "no"}}]"#.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try await daemon.client.submit(.alert("b")).resolved().outcome == .answered(.button("no")))
    }
  }

  @Test func `asks again about an invalid form, with its problems`() async throws {
    try await TestDaemon.run { daemon in
      let told = daemon.directory + "/told"
      let command =
        "tee -a '\(told)' | grep -q '\"problems\"' && echo '{\"typed\":{\"age\":\"36\"}}' || echo '{\"typed\":{\"age\":\"old\"}}'"
      let presenter = try present(command, on: daemon)
      defer { presenter.signal(SIGTERM) }
      let schema = FormSchema(properties: [FormSchema.Property(name: "age", kind: .integer, isRequired: true)])
      let handle = daemon.client.submit(PresentationRequest(kind: .sheet, sheet: "form", schema: schema))
      #expect(try await handle.resolved().outcome == .answered(.value(["age": 36])))
      let lines = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n").map {
        try JSONValue(parsing: String($0))
      }
      #expect(lines.count == 2)
      #expect(lines[0]["prompt"]?["fields"]?.array?.first?["label"] == "age")
      #expect(lines[0]["problems"] == nil)
      #expect(lines[1]["problems"] == ["age": "must be a whole number"])
      #expect(lines[1]["typed"] == ["age": "old"])
    }
  }

  @Test func `fails after too many invalid forms`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try present(#"echo '{"typed":{}}'"#, on: daemon)
      defer { presenter.signal(SIGTERM) }
      let schema = FormSchema(properties: [FormSchema.Property(name: "age", kind: .integer, isRequired: true)])
      let handle = daemon.client.submit(PresentationRequest(kind: .sheet, sheet: "form", schema: schema))
      #expect(
        try await handle.resolved().outcome
          == .failed("the presenter's --exec command gave an invalid answer 100 times"))
    }
  }
}
