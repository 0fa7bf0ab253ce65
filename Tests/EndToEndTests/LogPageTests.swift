import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterCore

/// Runs the examples of the article and the man page.
@Suite(.timeLimit(.minutes(10)))
struct LogPageTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns an article's shell blocks. ``RunCommandTests`` has the one with `routerctl run`.
  static func articleExamples(_ article: String = "AskingTheLog") throws -> [String] {
    let page = try String(contentsOf: Self.root.appending(path: "Sources/Router/Router.docc/\(article).md"), encoding: .utf8)
    return page.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// Returns the man page's examples, each between `.nf` and `.fi`.
  private func manualExamples() throws -> [String] {
    let page = try String(contentsOf: Self.root.appending(path: "Docs/man/routerctl-log.1"), encoding: .utf8)
    let examples = page.components(separatedBy: ".SH EXAMPLES")[1].components(separatedBy: ".SH SEE ALSO")[0]
    return examples.components(separatedBy: ".nf\n").dropFirst().map { example in
      example.components(separatedBy: ".fi")[0].replacing("\\-", with: "-").replacing("\\(aq", with: "'").replacing(
        "\\(dq", with: "\"")
    }
  }

  /// Runs examples one after the other on a log of several days; each must succeed. Runs them again if midnight passes
  /// meanwhile, which moves "yesterday".
  private func run(_ examples: [String]) async throws -> [String: [String]] {
    func day() -> Substring { PresentationClock.system.wall().description.prefix(10) }
    while true {
      let before = day()
      let outputs = try await runOnce(examples)
      if day() == before {
        for (example, output) in outputs { #expect(output.status == 0, "\(example)\(output.errors)") }
        return outputs.mapValues { $0.lines }
      }
    }
  }

  private typealias Output = (lines: [String], errors: String, status: Int32)

  private func runOnce(_ examples: [String]) async throws -> [String: Output] {
    let directory = try TemporaryDirectory()
    try await LogStory.write(to: directory.file("routerd.db"))
    var outputs: [String: Output] = [:]
    for example in examples {
      let shell = try ChildProcess(
        "/bin/bash", ["-euo", "pipefail", "-c", "cd '\(directory.path)'\n" + example],
        environment: [
          "PATH": "\(ChildProcess.products.path):/usr/bin:/bin", "ROUTERD_DATABASE": directory.file("routerd.db"), "TZ": "UTC",
        ])
      let lines = await shell.allOutput()
      var errors = ""
      for await line in shell.errors { errors += line + "\n" }
      outputs[example] = (lines, errors, await shell.exitStatus())
    }
    return outputs
  }

  @Test func `runs the article's examples with the described output`() async throws {
    let examples = try Self.articleExamples()
    #expect(examples.count > 12)
    let outputs = try await run(examples)
    func output(_ text: String) -> [String] { outputs.first { $0.key.contains(text) }?.value ?? [] }
    let lastNight = output("--since yesterday --until today")
    #expect(lastNight.count == 1 && lastNight[0].contains("May I read your mail?"), "\(lastNight)")
    #expect(output("log show").contains { $0.contains("answered") && $0.contains("yes") })
    #expect(output("--follow").contains { $0.contains("May I read your mail?") })
    let incident = output("roll back").joined(separator: "\n")
    #expect(incident.contains("Deploy 1.4.2 to production?") && incident.contains("Roll back production?"))
    #expect(output("--events --since 2d").contains { $0.hasSuffix("\tdaemonStarted") })
    #expect(output("prune").contains { $0.contains("Pruned ") })
    #expect(output("prune").contains { $0.contains("are intact") })
    #expect(output("p90").contains { Double($0) != nil })
  }

  @Test func `runs the examples of the article on evidence`() async throws {
    let outputs = try await run(try Self.articleExamples("Evidence").filter { !$0.hasPrefix("routerctl run") })
    let lines = outputs.values.joined()
    #expect(lines.contains { $0.hasPrefix("1 anchor matches, up to event ") }, "\(lines)")
    #expect(lines.contains { $0.contains(" anchors match, up to event ") }, "\(lines)")
  }

  @Test func `runs the man page's examples`() async throws {
    let examples = try manualExamples()
    #expect(examples.count == 4)
    _ = try await run(examples)
  }
}

/// A log of several days with several apps.
enum LogStory {
  /// Adds events of a megabyte each to the last presentation and returns its id.
  static func addLargeEvents(_ count: Int, to path: String) async throws -> PresentationID {
    let log = try AuditLog(path: path)
    let presentation = try await AuditReader(log).presentationPage(AuditQuery()).page[0]
    let denied = Event.AccessDenied(
      by: Presentation.Responder(process: .current), what: String(repeating: "x", count: 1_000_000), reason: "a test",
      unrecorded: 0)
    let event = Event(at: presentation.requestedAt, presentation: presentation.id, .accessDenied(denied))
    for _ in 0..<count { try await log.append([event]) }
    await log.close()
    return presentation.id
  }

  static func write(to path: String) async throws {
    let log = try AuditLog(path: path)
    let ids = PresentationIDGenerator()
    let now = PresentationClock.system.wall()
    let midnight = now.milliseconds - now.milliseconds % 86_400_000
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/agent")
    var number = 0
    func add(_ app: String, _ title: String, _ outcome: PresentationOutcome, at milliseconds: Int64) async throws {
      number += 1
      let at = Timestamp(milliseconds: milliseconds)
      let id = ids.next(at: at)
      let asked = Asked(
        requester: Presentation.Requester(app: app, process: process),
        request: PresentationRequest(kind: .alert, title: title, app: app),
        at: at, number: number, key: nil)
      let requested = Event(
        at: at, presentation: id,
        .requested(
          Event.Requested(
            asked: asked, attached: true, place: PresentationPlace(lane: 3, rank: number), level: 0, hasCallback: false)))
      let later: [(seconds: Int, Event.Detail)] = [
        (1, .presented(Event.Presented(surface: "main", generation: 1, level: 0, presenters: []))),
        (
          30,
          .resolved(
            Event.Resolved(outcome: outcome, by: Presentation.Responder(process: process, presenter: "terminal"), generation: 1)
          )
        ),
      ]
      try await log.append(
        [requested] + later.map { Event(at: at.advanced(by: .seconds($0.seconds)), presentation: id, $0.1) })
    }
    let day: Int64 = 86_400_000
    for old in [120, 110, 100] {
      try await add("deploy", "Deploy 1.0 to production?", .answered(.button("yes")), at: midnight - Int64(old) * day)
    }
    try await log.append([
      Event(at: Timestamp(milliseconds: midnight - day), .daemonStarted(Event.Daemon(Presentation.Responder(process: process))))
    ])
    try await add("deploy", "Deploy 1.4.2 to production?", .answered(.button("yes")), at: midnight - day + 3_600_000)
    try await add("assistant", "May I read your mail?", .answered(.button("yes")), at: midnight - day + 7_200_000)
    try await add("deploy", "Roll back production?", .answered(.button("yes")), at: midnight - day + 9_000_000)
    try await add("backup", "Overwrite?", .failed("no display"), at: midnight)
    await log.close()
  }
}
