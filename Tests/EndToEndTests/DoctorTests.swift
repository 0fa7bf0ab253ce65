import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

@testable import RouterCommandLine
@testable import routerctl

/// `routerctl doctor` with daemons that are well and unwell.
@Suite(.timeLimit(.minutes(20)))
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
      for subject in ["socket", "daemon", "presenters", "page", "permissions", "disk", "clock", "rules", "log"] {
        #expect(output.contains { $0.hasPrefix("ok       \(subject): ") }, "\(output)")
      }
      #expect(output.count == 9)
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

  @Test func `a clock behind the log is a problem`() async throws {
    try await TestDaemon.run { daemon in
      let check = LogCheck(database: daemon.database) { Timestamp(milliseconds: 0) }
      #expect(await check.findings().contains { $0.isProblem && $0.line.contains("clock: ") && $0.line.contains("Fix: ") })
    }
  }
}
