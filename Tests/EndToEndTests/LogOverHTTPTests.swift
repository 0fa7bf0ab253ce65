import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// The log over the daemon's socket.
/// Promise P59.
@Suite(.timeLimit(.minutes(10)))
struct LogOverHTTPTests {
  /// Asks, answers, and returns the id.
  private func answered(_ title: String, _ presenter: TestPresenter, _ daemon: TestDaemon) async throws -> PresentationID {
    async let ended = daemon.client.ask(.alert(title))
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    return try await ended.id
  }

  private func curl(_ daemon: TestDaemon, _ path: String, _ more: String...) throws -> ChildProcess {
    try ChildProcess("/usr/bin/curl", ["-sSN", "--unix-socket", daemon.socket, "http://routerd" + path] + more)
  }

  @Test func `returns the same statistics, events and search results as the reader`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      for number in 0..<3 { _ = try await answered("Deploy \(number)?", presenter, daemon) }
      let statistics = try await daemon.client.logStatistics()
      #expect(statistics.total.outcomes == [.answered: 3])
      #expect(statistics == (try await AuditReader(path: daemon.database).statistics()))
      let one = try await daemon.client.logStatistics(by: [.app])
      #expect(one.groups.keys.map(\.self) == [.app])
      #expect(try await daemon.client.log(["search": "deploy 1"])["presentations"]?.array?.count == 1)
      var query = AuditQuery()
      query.apps = ["tests"]
      query.limit = 2
      let events = try await daemon.client.logEventPage(query)
      #expect(events.page.count == 2 && events.next != nil)
      let error = await #expect(throws: RouterError.self) { try await daemon.client.log(["search": "\"open"]) }
      #expect(error?.code == .invalid)
      #expect(error?.message.contains("not closed") == true)
    }
  }

  @Test func `pages a presentation's events at 8 MiB, and follows the pages in the client`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("large.db")
    try await LogStory.write(to: path)
    let id = try await LogStory.addLargeEvents(12, to: path)
    try await TestDaemon.run(database: path) { daemon in
      let all = try await AuditReader(path: path).events(of: id).map(\.json)
      #expect(all.count > 12)
      let first = try await daemon.call(.GET, "/v1/log/\(id)").json
      let page = try #require(first["events"]?.array)
      #expect(page.count < 12 && page == Array(all.prefix(page.count)))
      let next = try #require(first["next"]?.string)
      let second = try await daemon.call(.GET, "/v1/log/\(id)?limit=2&cursor=\(next)").json
      #expect(second["events"]?.array == Array(all[page.count...].prefix(2)))
      #expect(try await daemon.client.logEvents(of: id).map(\.json) == all)
      #expect(try await daemon.call(.GET, "/v1/log/\(id)?since=2026-01-01T00:00:00Z").status == 400)
      #expect(try await daemon.call(.GET, "/v1/log/01a1fdb6-ea24-7114-b4fd-98d4271e7c7c").status == 404)
    }
  }

  @Test func `resumes the stream after a restart without a gap or a repeat`() async throws {
    try await TestDaemon.run { daemon in
      var presenter = TestPresenter(daemon.client)
      let seen = Seen()
      for round in 0..<3 {
        let daemon = round == 0 ? daemon : try await daemon.next()
        defer { daemon.process.signal(SIGKILL) }
        presenter = TestPresenter(daemon.client)
        let last = seen.all.last ?? 0
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              try await daemon.client.followLog(after: last) { event in seen.add(event.seq) }
            } catch let error as RouterError where error.code == .unreachable {
            }
          }
          for number in 0..<5 { _ = try await answered("\(round) \(number)", presenter, daemon) }
          daemon.process.signal(round == 1 ? SIGKILL : SIGTERM)
          _ = await daemon.process.exitStatus()
          try await group.waitForAll()
        }
      }
      let daemon = try await daemon.next()
      defer { daemon.process.signal(SIGKILL) }
      let all = try await AuditReader(path: daemon.database).events(after: 0).map(\.seq)
      let last = seen.all.last ?? 0
      let follow = Task {
        try await daemon.client.followLog(after: last) { event in
          seen.add(event.seq)
          if event.seq >= all.last ?? 0 { throw CancellationError() }
        }
      }
      await #expect(throws: CancellationError.self) { try await follow.value }
      #expect(seen.all == all)
    }
  }

  @Test func `explains why a stream cannot be resumed`() async throws {
    try await TestDaemon.run { daemon in
      for id in ["x", "-1", "999999"] {
        let problem = await (try curl(daemon, "/v1/log/stream", "-H", "Last-Event-ID: \(id)")).allOutput().joined()
        #expect(problem.contains("cannot resume the stream"), "\(problem)")
      }
    }
  }

  @Test func `prunes while serving`() async throws {
    let directory = try TemporaryDirectory()
    try await LogStory.write(to: directory.file("old.db"))
    try await TestDaemon.run(["--database", directory.file("old.db")]) { daemon in
      let now = PresentationClock.system.wall()
      let pruning = try await daemon.client.pruneLog(before: now.advanced(by: .seconds(-90 * 86_400)))
      #expect(pruning.events == 9)
      let reader = try AuditReader(path: directory.file("old.db"))
      #expect(try await reader.verify().fault == nil)
      #expect(try await reader.events(after: 0).first?.seq == 10)
      let error = await #expect(throws: RouterError.self) { try await daemon.client.pruneLog(before: now) }
      #expect(error?.code == .impossible)
      // The command line delegates to the daemon, and suggests --socket if only the database is given.
      let prune = try ChildProcess(
        "routerctl", ["log", "prune", "--older-than", "80d", "--database", directory.file("old.db"), "--socket", daemon.socket])
      #expect(await prune.allOutput() == ["Nothing was pruned."])
      let alone = try ChildProcess(
        "routerctl", ["log", "prune", "--older-than", "80d", "--database", directory.file("old.db")])
      await alone.expectExit(77)
      #expect(await alone.line(with: "--socket") != nil)
      // The daemon's database may be anywhere.
      let elsewhere = try ChildProcess(
        "routerctl", ["log", "--socket", daemon.socket],
        environment: ["XDG_STATE_HOME": directory.path])
      #expect(await elsewhere.allOutput().isEmpty == false)
      await elsewhere.expectExit()
    }
  }

  @Test func `applies the retention at start`() async throws {
    let directory = try TemporaryDirectory()
    try await LogStory.write(to: directory.file("old.db"))
    let environment = ["ROUTERD_RETENTION_DAYS": "90"]
    try await TestDaemon.run(["--database", directory.file("old.db")], environment: environment) { daemon in
      let reader = try AuditReader(path: directory.file("old.db"))
      try await daemon.eventually("the log is pruned") { try await reader.events(after: 0).contains { $0.kind == .pruned } }
      // Prunes nothing, and returns once the pruned events are removed.
      let before = PresentationClock.system.wall().advanced(by: .seconds(-90 * 86_400))
      #expect(try await daemon.client.pruneLog(before: before).events == 0)
      #expect(try await reader.events(after: 0, limit: 1).first?.seq != 1)
      #expect(try await reader.verify().fault == nil)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `shows the log through the daemon to auditors who cannot read the file`() async throws {
    let environment = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_AUDIT": "self,60013"]
    try await TestDaemon.run(environment: environment) { daemon in
      let presenter = TestPresenter(daemon.client)
      let id = try await answered("Deploy?", presenter, daemon)
      // Other users may not have access to the build directory.
      let program = daemon.directory + "/routerctl"
      try FileManager.default.copyItem(atPath: ChildProcess.products.appending(path: "routerctl").path, toPath: program)
      func routerctl(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
          "/usr/bin/setpriv",
          ["--reuid", "60013", "--regid", "60001", "--clear-groups", program]
            + arguments + ["--database", daemon.database, "--socket", daemon.socket])
      }
      #expect(await (try routerctl("log", "--search", "deploy")).allOutput().count == 1)
      #expect(await (try routerctl("log", "--events", "--app", "tests")).allOutput().count >= 3)
      // The newest two events are the answer and its delivery, without the request.
      let newest = await (try routerctl("log", "--events", "--app", "tests", "-n2")).allOutput()
      #expect(newest.contains { $0.contains("Yes, by") } && !newest.contains { $0.contains("requested") }, "\(newest)")
      #expect(await (try routerctl("log", "stats", "--by", "app")).allOutput().first?.hasPrefix("tests\t1\t1\t") == true)
      #expect(await (try routerctl("log", "show", id.description)).allOutput().contains { $0.contains("answered") })
      let verify = try routerctl("log", "verify")
      await verify.expectExit(77)
      let follow = try routerctl("log", "--follow", "--json")
      var lines = follow.output.makeAsyncIterator()
      #expect(await lines.next()?.contains(id.description) == true)
      let next = try await answered("And now?", presenter, daemon)
      #expect(await lines.next()?.contains(next.description) == true)
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), arguments: [false, true])
  func `follows the log through the daemon without repeats across restarts`(events: Bool) async throws {
    let environment = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_AUDIT": "self,60013"]
    try await TestDaemon.run(environment: environment) { first in
      let program = first.directory + "/routerctl"
      try FileManager.default.copyItem(atPath: ChildProcess.products.appending(path: "routerctl").path, toPath: program)
      let follow = try ChildProcess(
        "/usr/bin/setpriv",
        ["--reuid", "60013", "--regid", "60001", "--clear-groups", program, "log", "--follow", "--json", "-n", "1000"]
          + (events ? ["--events"] : []) + ["--database", first.database, "--socket", first.socket])
      defer { follow.signal(SIGKILL) }
      var lines = follow.output.makeAsyncIterator()
      var seen: [String] = []
      var asked: [String] = []
      var daemon = first
      for round in 0..<3 {
        if round > 0 { daemon = try await daemon.next(environment: environment) }
        defer { daemon.process.signal(SIGKILL) }
        let presenter = TestPresenter(daemon.client)
        for number in 0..<3 { asked.append(try await answered("\(round) \(number)", presenter, daemon).description) }
        // Read up to the last answer. After a restart, events recorded before the follower reconnected come too.
        while let line = await lines.next() {
          let json = try JSONValue(parsing: line)
          guard let id = (events ? json["presentation"] : json["id"])?.string ?? (events ? "" : nil) else { continue }
          seen.append(events ? json["seq"]?.description ?? "" : id)
          if id == asked.last, !events || json["type"] == "answered" { break }
        }
        await daemon.end(by: round == 1 ? SIGKILL : SIGTERM)
      }
      guard events else { return #expect(seen == asked) }
      let all = try await AuditReader(path: first.database).events(after: 0).map { String($0.seq) }
      #expect(seen == Array(all.prefix(seen.count)))
      #expect(seen.count > 9 * 3)
    }
  }
}

/// The sequence numbers of events, in the order received.
private final class Seen: Sendable {
  private let numbers = Mutex<[Int64]>([])

  var all: [Int64] { numbers.withLock(\.self) }
  func add(_ number: Int64) { numbers.withLock { $0.append(number) } }
}
