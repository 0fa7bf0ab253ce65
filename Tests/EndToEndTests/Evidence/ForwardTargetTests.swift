import Foundation
import Router
import RouterClient
import TestSupport
import Testing

/// The targets and formats of `routerctl log forward`.
@Suite(.timeLimit(.minutes(10)))
struct ForwardTargetTests {
  private func forward(_ log: EvidenceLog, to target: String, _ more: String..., status: Int32 = 0) async throws {
    let process = try ChildProcess(
      "routerctl",
      ["log", "forward", "--once", "--to", target, "--state", log.directory.file("state"), "--database", log.path] + more)
    await process.expectExit(status)
  }

  private func state(_ log: EvidenceLog) throws -> Int64 { try AuditAnchor(line: try log.text("state")).head.seq }

  @Test func `sends RFC 5424 over TCP, octet-counted`() async throws {
    let log = try await EvidenceLog()
    let server = try SyslogServer()
    try await forward(log, to: "tcp:127.0.0.1:\(server.port)")
    var connections = server.connections.makeAsyncIterator()
    let messages = try #require(await connections.next())
    let events = try await AuditReader(path: log.path).events(after: 0, limit: 10_000)
    #expect(messages.compactMap(SyslogServer.number) == events.map(\.seq))
    for (message, event) in zip(messages, events) {
      let pattern =
        /<10[89]>1 (\S+) \S+ routerd - (\S+) \[router@32473 seq="\d+" hash="[0-9a-f]{64}"( presentation="[^"]+")?\] (\{.*\})/
      let parts = try #require(message.wholeMatch(of: pattern), "\(message)")
      #expect(parts.1 == event.at.description && parts.2 == event.kind.rawValue)
      #expect(try AuditEvent(json: try JSONValue(parsing: String(parts.4))) == event)
    }
  }

  @Test func `sends datagrams to a local syslog socket, without a detail that does not fit`() async throws {
    let log = try await EvidenceLog()
    _ = try await LogStory.addLargeEvents(1, to: log.path)
    let socket = try DatagramSocket(path: log.directory.file("log.sock"))
    let last = try await AuditReader(path: log.path).head().seq
    async let sent: Void = forward(log, to: "unix:\(log.directory.file("log.sock"))")
    var messages: [String] = []
    for await message in socket.messages {
      messages.append(String(decoding: message, as: UTF8.self))
      if messages.count == Int(last) { break }
    }
    try await sent
    #expect(messages.compactMap(SyslogServer.number) == Array(1...last))
    #expect(messages.last?.contains("\"omitted\":\"detail\"") == true && messages.last?.contains("hash=") == true)
  }

  @Test func `a collector gets OTLP, and what it refuses or rejects is not acknowledged`() async throws {
    let log = try await EvidenceLog()
    let replies = Mutex([
      (503, "busy"), (200, #"{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too old"}}"#), (200, "{}"),
    ])
    let bodies = Mutex<[[UInt8]]>([])
    let collector = try HTTPCollector { path, body in
      guard path == "/v1/logs" else { return (404, []) }
      bodies.withLock { $0.append(body) }
      let (status, text) = replies.withLock { $0.removeFirst() }
      return (status, Array(text.utf8))
    }
    let target = "otlp:http://127.0.0.1:\(collector.port)"
    for status: Int32 in [69, 69, 0] { try await forward(log, to: target, status: status) }
    let events = try await AuditReader(path: log.path).events(after: 0, limit: 10_000)
    #expect(bodies.withLock { $0.map(OTLP.numbers) } == Array(repeating: events.map(\.seq), count: 3))
    let record = try #require(OTLP.records(bodies.withLock { $0[2] }).first)
    #expect(record["timeUnixNano"]?.string == "\(events[0].at.milliseconds)000000")
    #expect(record["eventName"] == "router.requested" && record["severityNumber"] == 9)
    #expect(try JSONValue(parsing: record["body"]?["stringValue"]?.string ?? "") == events[0].detail)
    #expect(try state(log) == events.last?.seq)
  }

  @Test func `a command acknowledges by its exit status, or up to an event`() async throws {
    let log = try await EvidenceLog()
    let last = try await AuditReader(path: log.path).head().seq
    let out = log.directory.file("out.jsonl")
    try await forward(log, to: "exec:head -n 5 > '\(out)'; echo 'ok 3'; echo 'ok 5'; echo full >&2; exit 1", status: 69)
    #expect(try state(log) == 5)
    try await forward(log, to: "exec:echo ok 9999; cat >/dev/null; exit 1", status: 69)
    #expect(try state(log) == last)
    _ = try await log.add(1)
    try await forward(log, to: "exec:exit 3", status: 69)
    #expect(try state(log) == last)
    try await forward(log, to: "exec:cat >> '\(out)'", "--format", "rfc5424")
    #expect(try state(log) == last + 1)
    #expect(try log.text("out.jsonl").split(separator: "\n").count == 6)
  }
}
