import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

@testable import RouterCommandLine
@testable import routerctl

/// `routerctl doctor` with daemons that are well and unwell.
@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
  private func doctor(_ daemon: TestDaemon, status: Int32) async throws -> [String] {
    let doctor = try ChildProcess("routerctl", ["doctor", "--socket", daemon.socket])
    let output = await doctor.allOutput()
    await doctor.expectExit(status, "\(output)")
    return output
  }

  @Test func `all is well`() async throws {
    try await TestDaemon.run(environment: ["ROUTERD_WEB_ADDRESS": "127.0.0.1:0"]) { daemon in
      let presenter = TestPresenter(daemon.client)
      _ = daemon.client.submit(.alert("Is anybody there?"))
      _ = try await presenter.nextPresentation()
      let output = try await doctor(daemon, status: 0)
      for subject in ["socket", "daemon", "presenters", "page", "permissions", "disk", "clock", "rules", "log", "anchors"] {
        #expect(output.contains { $0.hasPrefix("ok       \(subject): ") }, "\(output)")
      }
      #expect(output.count == 10)
    }
  }

  @Test func `each problem is named with its fix`() async throws {
    let taken = try LoopbackListener()
    try await TestDaemon.run(environment: ["ROUTERD_WEB_ADDRESS": "127.0.0.1:\(taken.port)"]) { daemon in
      #expect(chmod(daemon.database, 0o644) == 0 && chmod(daemon.directory, 0o777) == 0)
      let output = try await doctor(daemon, status: 8)
      for problem in [
        "permissions: others can replace \(daemon.socket). Fix: ", "presenters: surface main has none. Fix: ",
        "page: 127.0.0.1:\(taken.port) is in use by another program. Fix: ", "permissions: others can open the log. Fix: ",
      ] {
        #expect(output.contains { $0.hasPrefix("problem  \(problem)") }, "\(output)")
      }
    }
  }

  @Test func `rules that are not in force are a problem`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("rules.yaml")
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: path))
      chmod(path, 0o644)
    }
    try write("")
    let environment = ["ROUTERD_RULES_FILE": path, "ROUTERD_RULES_CONFIRM": "none"]
    try await TestDaemon.run(environment: environment) { daemon in
      func finding() async throws -> String? {
        await (try ChildProcess("routerctl", ["doctor", "--socket", daemon.socket])).allOutput().first {
          $0.contains(" rules: ")
        }
      }
      #expect(try await finding() == "ok       rules: none")
      try write("version: 1\nrules:\n  - {id: a, match: {app: x}, then: deny}\n")
      #expect(try await finding()?.hasPrefix("problem  rules: \(path) is not in force as it is. Fix: ") == true)
      daemon.process.signal(SIGHUP)
      #expect(await daemon.process.line(with: "rules are in force") != nil)
      #expect(try await finding() == "ok       rules: 1 in force (routerctl rules)")
    }
  }

  @Test func `a changed log and no daemon are problems`() async throws {
    let directory = try TemporaryDirectory()
    let database = directory.file(".local/state/routerd/routerd.db")
    try FileManager.default.createDirectory(atPath: directory.file(".local/state/routerd"), withIntermediateDirectories: true)
    try await TestDaemon.run(database: database) { daemon in
      _ = try await daemon.ask("Deploy?")
      await daemon.end(by: SIGTERM)
    }
    let change = try ChildProcess(
      "/usr/bin/sqlite3",
      [
        database,
        "DROP TRIGGER events_are_not_changed; UPDATE events SET detail = replace(detail, 'Deploy', 'Retire') WHERE type = 'requested'",
      ])
    await change.expectExit()
    let doctor = try ChildProcess(
      "routerctl", ["doctor"],
      environment: [
        "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "ROUTERD_SOCKET": "", "XDG_STATE_HOME": "",
      ])
    let output = await doctor.allOutput()
    await doctor.expectExit(8)
    #expect(output.contains { $0.hasPrefix("problem  socket: cannot reach routerd at \(directory.path)/routerd/routerd.sock") })
    #expect(output.contains { $0.hasPrefix("problem  log: ") && $0.contains("Fix: routerctl log verify") }, "\(output)")
  }

  @Test func `an anchor older than a day is a problem once the log was anchored`() async throws {
    let log = try await EvidenceLog()
    func finding(after seconds: Int) async -> Finding? {
      let later = PresentationClock.system.wall().advanced(by: .seconds(seconds))
      return await LogCheck(database: log.path, now: { later }).findings().first { $0.line.contains("anchors: ") }
    }
    #expect(await finding(after: 1_000_000)?.line.contains("anchors: none") == true)
    #expect(await finding(after: 1_000_000)?.isProblem == false)
    // A target that fails does not count.
    let heads = log.directory.file("heads.jsonl")
    _ = try await log.failure("anchor", "--to", "file:\(heads)", "--to", "exec:exit 1", status: 69)
    #expect(await finding(after: 0)?.line.contains("anchors: none") == true)
    let head = try await log.add(1)
    try await log.run("anchor", "--to", "file:\(heads)")
    #expect(await finding(after: 86_000)?.line.hasPrefix("ok       anchors: the last is of event \(head.seq), at ") == true)
    #expect(await finding(after: 87_000)?.line.contains("over a day ago. Fix: routerctl log anchor") == true)
    try log.directory.write("garbage", to: "log.db.anchored")
    #expect(await finding(after: 0)?.isProblem == true)
  }

  @Test func `a clock behind the log is a problem`() async throws {
    try await TestDaemon.run { daemon in
      let check = LogCheck(database: daemon.database) { Timestamp(milliseconds: 0) }
      #expect(await check.findings().contains { $0.isProblem && $0.line.contains("clock: ") && $0.line.contains("Fix: ") })
    }
  }
}
