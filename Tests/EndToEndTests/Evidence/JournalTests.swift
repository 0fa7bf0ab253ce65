import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `log.journal`: the events in systemd's journal.
/// Promise P49.
@Suite(.timeLimit(.minutes(10)))
struct JournalTests {
  /// An entry's fields.
  private typealias Entry = [String: String]

  /// What must not reach the journal unless asked for.
  private static let contents = ["Open the gates?", "ZFVYJ", "because of XQPLM", "ls /secret"]

  /// Asks, answers and dismisses.
  private func use(_ daemon: TestDaemon) async throws {
    let presenter = TestPresenter(daemon.client)
    for number in 0..<5 {
      var request = PresentationRequest.alert("Open the gates? \(number)")
      (request.message, request.attachments) = ("ZFVYJ", [.init(.command, "ls /secret")])
      let handle = daemon.client.submit(request)
      let prompt = try await presenter.nextPresentation()
      if number == 4 {
        try await presenter.dismiss(prompt)
      } else {
        _ = try await daemon.client.answer(prompt.id, .button("yes"), comment: "because of XQPLM")
      }
      _ = try await handle.resolved()
    }
  }

  private func entries(_ socket: DatagramSocket, through last: Int64) async throws -> [Entry] {
    var entries: [Entry] = []
    for await message in socket.messages {
      entries.append(try Self.entry(message))
      if entries.last?["ROUTER_SEQ"] == String(last) { break }
    }
    return entries
  }

  /// Reads the native format: `NAME=value`, or the name, eight bytes of length and a value with line breaks.
  private static func entry(_ bytes: [UInt8]) throws -> Entry {
    var (entry, rest) = (Entry(), bytes[...])
    while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\n") }) {
      let name = String(decoding: rest[..<end], as: UTF8.self)
      let isText = rest[end] == UInt8(ascii: "=")
      rest = rest[(end + 1)...]
      let length =
        isText
        ? try #require(rest.firstIndex(of: UInt8(ascii: "\n"))) - rest.startIndex
        : rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      if !isText { rest = rest.dropFirst(8) }
      #expect(entry.updateValue(String(decoding: rest.prefix(length), as: UTF8.self), forKey: name) == nil)
      rest = rest.dropFirst(length + 1)
    }
    #expect(rest.isEmpty)
    return entry
  }

  private func counts(_ daemon: TestDaemon) async throws -> (sent: Int, lost: Int) {
    let body = try await daemon.http.reply(to: HTTPCall(.GET, "/metrics")).body
    func count(_ result: String) throws -> Int {
      let line = try #require(
        String(decoding: body, as: UTF8.self).split(separator: "\n").first {
          $0.hasPrefix("routerd_journal_entries_total{result=\"\(result)\"}")
        })
      return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
    return (try count("sent"), try count("lost"))
  }

  @Test(arguments: [false, true])
  func `has an entry for each event, with contents only if asked`(hasTexts: Bool) async throws {
    let directory = try TemporaryDirectory()
    let socket = try DatagramSocket(path: directory.file("journal"))
    let settings = ["ROUTERD_LOG_JOURNAL": directory.file("journal"), "ROUTERD_LOG_JOURNAL_TEXTS": "\(hasTexts)"]
    try await TestDaemon.run(environment: settings) { daemon in
      try await use(daemon)
      await daemon.end(by: SIGTERM)
      var oldestFirst = AuditQuery()
      (oldestFirst.order, oldestFirst.limit) = (.oldestFirst, 1000)
      let events = try await AuditReader(path: daemon.database).chainedEvents(oldestFirst).page
      let entries = try await entries(socket, through: try #require(events.last).event.seq)
      #expect(entries.map { $0["ROUTER_SEQ"] } == events.map { String($0.event.seq) })
      #expect(entries.map { $0["ROUTER_TYPE"] } == events.map(\.event.kind.rawValue))
      #expect(entries.map { $0["ROUTER_AT"] } == events.map(\.event.at.description))
      #expect(entries.map { $0["ROUTER_HASH"] } == events.map(\.hash.hexadecimal))
      #expect(entries.map { $0["ROUTER_PRESENTATION"] } == events.map { $0.event.presentation?.description })
      for (entry, event) in zip(entries, events) where event.event.presentation != nil {
        #expect(entry["ROUTER_APP"] == "tests" && entry["ROUTER_UID"] == String(getuid()), "\(entry)")
        #expect(entry["ROUTER_SURFACE"] == "main", "\(entry)")
      }
      let ends = entries.filter { $0["ROUTER_OUTCOME"] != nil }
      #expect(ends.map { $0["ROUTER_OUTCOME"] } == Array(repeating: "answered", count: 4) + ["dismissed"])
      #expect(ends.allSatisfy { $0["ROUTER_BY_UID"] == String(getuid()) })
      #expect(ends.first?["MESSAGE"] == "tests (uid \(getuid())) on main: answered by uid \(getuid())")
      #expect(Set(entries.map { $0["MESSAGE_ID"] }).count == Set(events.map(\.event.kind)).count)
      #expect(entries.allSatisfy { $0["MESSAGE_ID"]?.wholeMatch(of: /[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}/) != nil })
      let all = entries.flatMap(\.values).joined(separator: "\n")
      for text in Self.contents { #expect(all.contains(text) == hasTexts, "\(text)") }
    }
  }

  @Test func `answers do not wait for a journal that is missing or stuck`() async throws {
    let directory = try TemporaryDirectory()
    let settings = ["ROUTERD_LOG_JOURNAL": directory.file("journal")]
    try await TestDaemon.run(environment: settings) { daemon in
      try await use(daemon)
      let missed = try await counts(daemon)
      #expect(missed.sent == 0 && missed.lost > 0)
      // It comes up, but does not read.
      let socket = try DatagramSocket(path: directory.file("journal"), isRead: false)
      while try await counts(daemon).lost == missed.lost { try await use(daemon) }
      socket.read()
      try await use(daemon)
      let before = try await AuditReader(path: daemon.database).lastSeq()
      try await use(daemon)
      await daemon.end(by: SIGTERM)
      let last = try await AuditReader(path: daemon.database).lastSeq()
      let found = try await entries(socket, through: last).compactMap { $0["ROUTER_SEQ"].flatMap { Int64($0) } }
      #expect(found == found.sorted() && Set(found).count == found.count && found.count < last - Int64(missed.lost))
      #expect(found.filter { $0 > before } == Array(before + 1...last))
    }
  }

  @Test func `leaves contents out of an entry that is too long`() async throws {
    let directory = try TemporaryDirectory()
    let socket = try DatagramSocket(path: directory.file("journal"))
    let settings = ["ROUTERD_LOG_JOURNAL": directory.file("journal"), "ROUTERD_LOG_JOURNAL_TEXTS": "true"]
    try await TestDaemon.run(environment: settings) { daemon in
      var request = PresentationRequest.alert("?")
      // Twice as long as JSON.
      request.attachments = [.init(.text, String(repeating: "\"", count: 250_000))]
      let id = try await daemon.client.detach(request).id
      let events = try await AuditReader(path: daemon.database).events(of: id)
      let entries = try await entries(socket, through: try #require(events.last).seq)
      let entry = try #require(entries.last { $0["ROUTER_TYPE"] == "requested" })
      #expect(entry["ROUTER_DETAIL"] == nil && entry["ROUTER_PRESENTATION"] == id.description)
    }
  }

  /// Makes a separate /run, in which a journal can run beside the machine's.
  private static let ownRun = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal /run/log/journal && cd /run"
  private static let journald = "/usr/lib/systemd/systemd-journald"

  /// Whether a journal runs there until it is stopped: containers may lack the rights.
  private static let canRunJournal =
    getuid() == 0
    && shell("command -v journalctl && unshare --mount sh -c '\(ownRun) && { timeout 1 \(journald); [ $? = 124 ]; }'") == 0

  private static func shell(_ command: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "{ \(command); } >/dev/null 2>&1"]
    do { try process.run() } catch { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(.enabled(if: canRunJournal, "needs root and systemd-journald"))
  func `journalctl finds the events by their fields`() async throws {
    let manager = try NotifySocket()
    let journal = try ChildProcess(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-ec", "\(Self.ownRun)\nexec \(Self.journald)"],
      environment: ["NOTIFY_SOCKET": manager.address])
    while let message = await manager.next(), !message.contains("READY=1") {}
    let run = "/proc/\(journal.pid)/cwd"
    try await TestDaemon.run(environment: ["ROUTERD_LOG_JOURNAL": run + "/systemd/journal/socket"]) { daemon in
      try await use(daemon)
      let last = try await AuditReader(path: daemon.database).lastSeq()
      let follow = try ChildProcess(
        "/usr/bin/journalctl",
        ["--directory", run + "/log/journal", "--follow", "--lines=all", "--output=json", "SYSLOG_IDENTIFIER=routerd"])
      var entries: [JSONValue] = []
      for await line in follow.output {
        entries.append(try JSONValue(parsing: line))
        if entries.last?["ROUTER_SEQ"]?.string == String(last) { break }
      }
      #expect(entries.compactMap { $0["ROUTER_SEQ"]?.string } == (1...last).map(String.init))
      #expect(entries.allSatisfy { $0["_PID"]?.string == String(daemon.process.pid) })
      #expect(entries.count { $0["ROUTER_TYPE"] == "answered" } == 4)
    }
    journal.signal(SIGTERM)
    _ = await journal.exitStatus()
  }
}
