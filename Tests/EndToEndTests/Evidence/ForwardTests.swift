import Foundation
import Router
import RouterClient
import TestSupport
import Testing

/// `routerctl log forward`: resuming, waiting and stopping.
/// Promise P9.
@Suite(.timeLimit(.minutes(10)))
struct ForwardTests {
  private func numbers(_ log: EvidenceLog) throws -> [Int] {
    try log.text("out.jsonl").split(separator: "\n").compactMap { try JSONValue(parsing: String($0))["seq"]?.number?.integer }
  }

  private func forward(_ log: EvidenceLog, database: String? = nil) async throws {
    try await log.run(
      "forward", "--once", "--to", "file:\(log.directory.file("out.jsonl"))", "--state", log.directory.file("state"),
      database: database)
  }

  private func refusal(_ log: EvidenceLog, database: String) async throws -> String {
    try await log.failure(
      "forward", "--once", "--to", "file:\(log.directory.file("out.jsonl"))", "--state", log.directory.file("state"),
      database: database, status: 8)
  }

  @Test func `forwards each event once and in order, and later runs continue`() async throws {
    let log = try await EvidenceLog()
    try await forward(log)
    let first = try numbers(log)
    let head = try await log.add(1500)
    try await forward(log)
    try await forward(log)
    #expect(first.count < 100)
    #expect(try numbers(log) == Array(1...Int(head.seq)))
    let state = try AuditAnchor(line: try log.text("state"))
    #expect(state.head == head)
    // The events are complete, and their hashes are anchors of the log.
    let lines = try log.text("out.jsonl").split(separator: "\n")
    let last = try #require(try await AuditReader(path: log.path).events(after: head.seq - 1).first)
    #expect(try AuditEvent(json: try JSONValue(parsing: String(lines[lines.count - 1]))) == last)
    try await log.run("verify", "--anchors", log.directory.file("out.jsonl"))
  }

  @Test(arguments: ["json", "rfc5424", "otlp"], ["middle of the last line", "a line before", "another file"])
  func `says that the file was cut, and leaves no gap in it`(format: String, cut: String) async throws {
    let log = try await EvidenceLog()
    let (out, state) = (log.directory.file("out.jsonl"), log.directory.file("state"))
    func arguments() -> [String] {
      ["log", "forward", "--once", "--to", "file:\(out)", "--format", format, "--state", state, "--database", log.path]
    }
    await (try ChildProcess("routerctl", arguments())).expectExit()
    let lines = try log.text("out.jsonl").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let whole = lines.joined(separator: "\n") + "\n"
    let rest =
      switch cut {
      case "middle of the last line": String(whole.dropLast(20))
      case "a line before": lines.dropLast(1).joined(separator: "\n") + "\n"
      default: "something else\n"
      }
    try log.directory.write(rest, to: "out.jsonl")
    _ = try await log.add(1)
    let refused = try ChildProcess("routerctl", arguments())
    #expect(await refused.line(with: "no longer has the last event that was forwarded") != nil)
    await refused.expectExit(69)
    #expect(try log.text("out.jsonl") == rest)
    // What a kill or a full disk left of an event that was not acknowledged leaves no gap.
    try log.directory.write(whole + "{\"seq\"", to: "out.jsonl")
    await (try ChildProcess("routerctl", arguments())).expectExit()
    #expect(try log.text("out.jsonl").hasPrefix(whole))
    #expect(try log.text("out.jsonl").split(separator: "\n").count == lines.count + 1)
    // A file that was moved away is continued in a new one.
    try FileManager.default.removeItem(atPath: out)
    _ = try await log.add(1)
    await (try ChildProcess("routerctl", arguments())).expectExit()
    let only = try log.text("out.jsonl")
    #expect(only.split(separator: "\n").count == 1)
    // Also if nothing complete is left.
    try log.directory.write(String(only.dropLast(20)), to: "out.jsonl")
    _ = try await log.add(1)
    await (try ChildProcess("routerctl", arguments())).expectExit(69)
    #expect(try log.text("out.jsonl") == String(only.dropLast(20)))
  }

  @Test func `stops if the log before the last event is not the one that was forwarded`() async throws {
    let log = try await EvidenceLog()
    let older = try log.copy(to: "older.db")
    let head = try await log.add(2)
    try await forward(log)
    let (rewritten, cut) = (try log.copy(to: "rewritten.db"), try log.copy(to: "cut.db"))
    try await log.rewrite(rewritten)
    try await log.cut(cut, after: head.seq - 1)
    for database in [rewritten, cut, older] {
      let error = try await refusal(log, database: database)
      #expect(error.contains("the log before event \(head.seq) is not the one that was forwarded"), "\(error)")
      #expect(error.contains(database == rewritten ? "rewritten" : "the log ends before it"), "\(error)")
    }
    #expect(try numbers(log).count == Int(head.seq))
    // After the first anchors were forwarded, `verify` finds it too.
    _ = try await log.failure("verify", "--anchors", log.directory.file("out.jsonl"), database: rewritten, status: 8)
  }

  @Test func `stops while it follows a log that is rewritten`() async throws {
    let log = try await EvidenceLog()
    let (seen, see) = AsyncStream<Int>.makeStream()
    let collector = try HTTPCollector { _, body in
      see.yield(body.count)
      return (200, Array("{}".utf8))
    }
    let forwarder = try ChildProcess(
      "routerctl",
      [
        "log", "forward", "--to", "otlp:http://127.0.0.1:\(collector.port)", "--state", log.directory.file("state"),
        "--database",
        log.path,
      ])
    defer { forwarder.signal(SIGKILL) }
    var batches = seen.makeAsyncIterator()
    _ = await batches.next()
    try await log.rewrite(log.path)
    #expect(await forwarder.line(with: "is not the one that was forwarded") != nil)
    await forwarder.expectExit(8)
  }

  @Test func `continues after a prune, and says which events it never saw`() async throws {
    let log = try await EvidenceLog()
    let before = try log.copy(to: "before.db")
    try await log.cut(before, after: 4)
    try await forward(log, database: before)
    try await log.run("prune", "--older-than", "90d")
    let process = try ChildProcess(
      "routerctl",
      [
        "log", "forward", "--once", "--to", "file:\(log.directory.file("out.jsonl"))", "--state", log.directory.file("state"),
        "--database", log.path,
      ])
    #expect(await process.line(with: "events 5 to 9 were pruned before they were forwarded") != nil)
    await process.expectExit()
    let last = try await AuditReader(path: log.path).head().seq
    #expect(try numbers(log) == Array(1...4) + Array(10...Int(last)))
  }

  @Test func `waits for a target that is away, and with --once exits`() async throws {
    let log = try await EvidenceLog()
    // A port that was free a moment ago.
    let port = try HTTPCollector { _, _ in (200, []) }.port
    let arguments = ["log", "forward", "--to", "otlp:http://127.0.0.1:\(port)", "--state", log.directory.file("state")]
    let once = try ChildProcess("routerctl", arguments + ["--once", "--database", log.path])
    #expect(await once.line(with: "cannot forward the log to otlp:http://127.0.0.1:\(port)/v1/logs: cannot connect") != nil)
    await once.expectExit(69)
    let forwarder = try ChildProcess("routerctl", arguments + ["--database", log.path])
    defer { forwarder.signal(SIGKILL) }
    #expect(await forwarder.line(with: "waiting for otlp:") != nil)
    let (seen, see) = AsyncStream<[Int64]>.makeStream()
    let collector = try HTTPCollector(port: port) { _, body in
      see.yield(OTLP.numbers(body))
      return (200, [])
    }
    var numbers: [Int64] = []
    let last = try await log.add(1).seq
    for await batch in seen {
      numbers += batch
      if numbers.last == last { break }
    }
    #expect(numbers == Array(1...last))
    withExtendedLifetime(collector) {}
  }

  @Test func `a missing log, wrong arguments and a file that is not a state have their statuses`() async throws {
    let log = try await EvidenceLog()
    let (out, state) = ("file:\(log.directory.file("out.jsonl"))", log.directory.file("state"))
    _ = try await log.failure(
      "forward", "--once", "--to", out, "--state", state, database: log.directory.file("none.db"), status: 69)
    for target in ["nowhere:x", "tcp:host", "tcp::601", "otlp:https://x", "file:"] {
      _ = try await log.failure("forward", "--once", "--to", target, "--state", state, status: 64)
    }
    for (target, format) in [("unix:/dev/log", "json"), ("otlp:http://x", "json"), (out, "xml")] {
      _ = try await log.failure("forward", "--once", "--to", target, "--format", format, "--state", state, status: 64)
    }
    try log.directory.write("not a state", to: "state")
    let error = try await log.failure("forward", "--once", "--to", out, "--state", state, status: 64)
    #expect(error.contains("as the state"), "\(error)")
    #expect(!FileManager.default.fileExists(atPath: log.directory.file("out.jsonl")))
  }

  /// An auditor who may not read the database.
  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `forwards through the daemon, and stops if its log is another`() async throws {
    let environment = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_AUDIT": "self,60013"]
    try await TestDaemon.run(environment: environment) { daemon in
      let program = daemon.directory + "/routerctl"
      try FileManager.default.copyItem(atPath: ChildProcess.products.appending(path: "routerctl").path, toPath: program)
      let place = daemon.directory + "/auditor"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      #expect(chown(place, 60013, 60001) == 0)
      func forward(_ more: String..., to target: String) throws -> ChildProcess {
        try ChildProcess(
          "/usr/bin/setpriv",
          OtherUser(uid: 60013).running(
            [program, "log", "forward", "--to", target, "--state", place + "/state"] + more
              + ["--database", daemon.database, "--socket", daemon.socket]))
      }
      for number in 0..<3 { _ = try await daemon.ask("Deploy \(number)?") }
      for _ in 0..<2 { await (try forward("--once", to: "file:\(place)/out.jsonl")).expectExit() }
      let lines = try String(contentsOfFile: place + "/out.jsonl", encoding: .utf8).split(separator: "\n")
      let events = try await AuditReader(path: daemon.database).events(after: 0)
      #expect(try lines.map { try AuditEvent(json: try JSONValue(parsing: String($0))) } == events)
      let head = try await AuditReader(path: daemon.database).head()
      #expect(try AuditAnchor(line: String(lines[lines.count - 1])).head == head)

      // Follows it.
      let (seen, see) = AsyncStream<[Int64]>.makeStream()
      let collector = try HTTPCollector { _, body in
        see.yield(OTLP.numbers(body))
        return (200, [])
      }
      let follower = try forward(to: "otlp:http://127.0.0.1:\(collector.port)")
      defer { follower.signal(SIGKILL) }
      var batches = seen.makeAsyncIterator()
      _ = try await daemon.ask("And now?")
      #expect(await batches.next() == [head.seq + 1])
      _ = try await daemon.ask("And then?")
      #expect(await batches.next() == [head.seq + 2])
      follower.signal(SIGTERM)
      _ = await follower.exitStatus()

      for state in [
        "{\"seq\": 2, \"hash\": \"\(String(repeating: "0", count: 64))\"}",
        "{\"seq\": 99, \"hash\": \"\(head.hash.hexadecimal)\"}",
      ] {
        try state.write(toFile: place + "/state", atomically: false, encoding: .utf8)
        let refused = try forward("--once", to: "file:\(place)/out.jsonl")
        #expect(await refused.line(with: "is not the one that was forwarded") != nil)
        await refused.expectExit(8)
      }
      await daemon.end(by: SIGTERM)
      await (try forward("--once", to: "file:\(place)/out.jsonl")).expectExit(69)
    }
  }
}

/// What a collector reads from an export request.
enum OTLP {
  static func records(_ body: [UInt8]) -> [JSONValue] {
    let json = try? JSONValue(parsing: body, maximumDepth: JSONValue.maximumWrappedDepth)
    return json?["resourceLogs"]?.array?.first?["scopeLogs"]?.array?.first?["logRecords"]?.array ?? []
  }

  static func numbers(_ body: [UInt8]) -> [Int64] {
    records(body).compactMap { record in
      record["attributes"]?.array?.first { $0["key"] == "router.seq" }?["value"]?["intValue"]?.string.flatMap { Int64($0) }
    }
  }
}
