import Foundation
import Router
import TestSupport
import Testing

/// `routerctl log anchor` and `log verify --anchors`, with real files, commands and repositories.
/// Promise P9.
@Suite(.timeLimit(.minutes(10)))
struct AnchorTests {
  @Test func `an anchor is a line of at most 200 bytes, in a file, a command's input and a Git repository`() async throws {
    let log = try await EvidenceLog()
    let place = log.directory
    for _ in 0..<2 {
      let head = try await log.add(1)
      let output = try await log.run(
        "anchor", "--to", "file:\(place.file("heads.jsonl"))", "--to", "exec:cat >> '\(place.file("more.jsonl"))'",
        "--to", "git:\(place.file("repository"))")
      let line = try #require(output.first)
      let anchor = try AuditAnchor(line: line)
      #expect(output.count == 1 && anchor.head == head && anchor.host != nil && anchor.log?.count == 16)
      #expect(line.utf8.count <= 200 - 16 + (anchor.host?.utf8.count ?? 0))
      for name in ["heads.jsonl", "more.jsonl", "repository/heads.jsonl"] { #expect(try log.text(name).hasSuffix(line + "\n")) }
    }
    for name in ["heads.jsonl", "more.jsonl", "repository"] {
      let output = try await log.run("verify", "--anchors", place.file(name))
      #expect(output.contains { $0.hasPrefix("2 anchors match") }, "\(output)")
    }
    try await log.shell(
      "test $(git -C repository log --oneline | wc -l) = 2 && test -z \"$(git -C repository status --short)\"")
  }

  @Test func `pushes the commit`() async throws {
    let log = try await EvidenceLog()
    try await log.shell("git init -q --bare remote.git && git init -q here && git -C here remote add origin ../remote.git")
    try await log.shell("git -C here config push.default current && git -C here config push.autoSetupRemote true")
    try await log.run("anchor", "--to", "git:\(log.directory.file("here"))", "--push")
    try await log.shell("git --git-dir remote.git show HEAD:heads.jsonl | cmp - here/heads.jsonl")
  }

  @Test func `finds a log that was rewritten as a whole, and names the first anchor that fails`() async throws {
    let log = try await EvidenceLog()
    let heads = log.directory.file("heads.jsonl")
    for _ in 0..<3 {
      _ = try await log.add(2)
      try await log.run("anchor", "--to", "file:\(heads)")
    }
    try await log.run("verify", "--anchors", heads)
    let rewritten = try log.copy(to: "rewritten.db")
    try await log.rewrite(rewritten)
    try await log.run("verify", database: rewritten)
    // The first of the log, wherever it is in the file.
    let lines = try log.text("heads.jsonl").split(separator: "\n").reversed()
    try log.directory.write(lines.joined(separator: "\n") + "\n", to: "heads.jsonl")
    let error = try await log.failure("verify", "--anchors", heads, database: rewritten, status: 8)
    #expect(error.contains("the anchor heads.jsonl:3 (made at ") && error.contains("the log was rewritten"), "\(error)")
    let json = try await log.run("verify", "--anchors", heads, "--json", database: rewritten, status: 8)
    #expect(try JSONValue(parsing: json.joined())["anchors"]?["failing"] == 3)
  }

  @Test func `finds a log that was cut off, and an older copy put in its place`() async throws {
    let log = try await EvidenceLog()
    let heads = log.directory.file("heads.jsonl")
    let older = try log.copy(to: "older.db")
    let first = try await log.add(1)
    try await log.run("anchor", "--to", "file:\(heads)")
    _ = try await log.add(1)
    try await log.run("anchor", "--to", "file:\(heads)")
    let cut = try log.copy(to: "cut.db")
    try await log.cut(cut, after: first.seq)
    for (database, line) in [(cut, 2), (older, 1)] {
      try await log.run("verify", database: database)
      let error = try await log.failure("verify", "--anchors", heads, database: database, status: 8)
      #expect(error.contains("the anchor heads.jsonl:\(line) ") && error.contains("the log ends before it"), "\(error)")
    }
  }

  @Test func `an anchor of a pruned event is not a fault, and one of the last pruned event is compared`() async throws {
    let log = try await EvidenceLog()
    // Made when the log had only these events, of which the first nine are pruned.
    let reader = try AuditReader(path: log.path)
    let old = try await reader.events(after: 0).map(\.seq).prefix(9)
    let all = try log.copy(to: "all.db")
    for seq in [5, old.last ?? 0] {
      let before = try log.copy(to: "before-\(seq).db")
      try await log.cut(before, after: seq)
      try await log.run("anchor", "--to", "file:\(log.directory.file("old.jsonl"))", database: before)
    }
    try await log.run("prune", "--older-than", "90d")
    let pruned = try await log.run("verify", "--anchors", log.directory.file("old.jsonl"))
    #expect(pruned.contains("1 anchor matches, up to event 9; 1 are of pruned events, not checkable."), "\(pruned)")
    #expect(pruned.contains { $0.contains("9 events were pruned") && !$0.contains("by routerd") })
    // Of another log, the last pruned event differs.
    try await log.rewrite(all)
    try await log.run("prune", "--older-than", "90d", database: all)
    _ = try await log.failure("verify", "--anchors", log.directory.file("old.jsonl"), database: all, status: 8)
    // A prune of everything that was anchored could be forged.
    let first = try log.text("old.jsonl").split(separator: "\n")[0]
    try log.directory.write(first + "\n", to: "first.jsonl")
    let none = try await log.failure("verify", "--anchors", log.directory.file("first.jsonl"), database: all, status: 8)
    #expect(none.contains("no anchor can be compared"), "\(none)")
  }

  @Test func `a file without anchors does not pass`() async throws {
    let log = try await EvidenceLog()
    try log.directory.write("", to: "empty.jsonl")
    #expect(
      try await log.failure("verify", "--anchors", log.directory.file("empty.jsonl"), status: 8).contains("has no anchors"))
    for text in ["a line", "{\"seq\": 1}", "{\"v\": 2, \"seq\": 0, \"hash\": \"\(String(repeating: "0", count: 64))\"}"] {
      try log.directory.write(text + "\n", to: "other.jsonl")
      let error = try await log.failure("verify", "--anchors", log.directory.file("other.jsonl"), status: 64)
      #expect(error.contains("other.jsonl:1"), "\(error)")
    }
    _ = try await log.failure("verify", "--anchors", log.directory.file("missing"), status: 64)
  }

  @Test func `a target that fails is named, and the others get the anchor`() async throws {
    let log = try await EvidenceLog()
    let heads = log.directory.file("heads.jsonl")
    for (target, reason) in [
      ("exec:echo no >&2; exit 3", "no"), ("file:/nowhere/heads", "No such file"), ("tsa:http://127.0.0.1:1/", "refused"),
      ("git:/proc/nowhere", "cannot"),
    ] {
      let error = try await log.failure("anchor", "--to", target, "--to", "file:\(heads)", status: 69)
      #expect(error.contains("to \(target): ") && error.contains(reason), "\(error)")
    }
    #expect(try log.text("heads.jsonl").split(separator: "\n").count == 4)
    for target in ["ftp:x", "file:", "tsa:https://example.org"] {
      _ = try await log.failure("anchor", "--to", target, status: 64)
    }
  }

  @Test func `targets that hang do not keep the anchor from the others`() async throws {
    let log = try await EvidenceLog()
    let (heads, locked) = (log.directory.file("heads.jsonl"), log.directory.file("locked.jsonl"))
    // As another program might hold it.
    let lock = open(locked, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let silent = try SilentTCPListener()
    let hanging = [
      "file:\(locked)", "exec:sleep 999", "exec:trap '' TERM; sleep 999 & wait; wait", "tsa:http://127.0.0.1:\(silent.port)/",
    ]
    let arguments = ["anchor", "--timeout", "1s"] + hanging.flatMap { ["--to", $0] } + ["--to", "file:\(heads)"]
    let process = try ChildProcess("routerctl", ["log"] + arguments + ["--database", log.path])
    let error = try #require(await process.line(with: "cannot anchor"))
    for target in hanging { #expect(error.contains("to \(target): it took longer than 1.0s"), "\(error)") }
    await process.expectExit(69)
    #expect(try log.text("heads.jsonl").split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: log.path + ".anchored"))
  }

  @Test func `replaces an incomplete last line`() async throws {
    let log = try await EvidenceLog()
    let heads = log.directory.file("heads.jsonl")
    try await log.run("anchor", "--to", "file:\(heads)")
    try log.directory.write(try log.text("heads.jsonl") + "{\"v\":1,\"lo", to: "heads.jsonl")
    try await log.run("anchor", "--to", "file:\(heads)")
    try await log.run("verify", "--anchors", heads)
    #expect(try log.text("heads.jsonl").split(separator: "\n").count == 2)
  }
}

/// A listener on 127.0.0.1 that never accepts, so that its clients wait for a reply.
private final class SilentTCPListener: Sendable {
  let port: UInt16
  private let descriptor: CInt

  init() throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), in_addr_t(0x7F00_0001).bigEndian)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, address, &size) == 0
    }
    try #require(isListening)
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
