import Foundation
import Router
import TestSupport
import Testing

/// A log on disk to anchor, forward and falsify, and the commands that do so.
struct EvidenceLog {
  let directory: TemporaryDirectory
  var path: String { directory.file("log.db") }

  /// A log of a few days, of which some are more than 90 days ago.
  init() async throws {
    directory = try TemporaryDirectory()
    try await LogStory.write(to: path)
  }

  /// Adds events, and returns the head.
  func add(_ count: Int) async throws -> AuditHead {
    let log = try AuditLog(path: path)
    let process = ProcessIdentity(uid: 1000, gid: 1000, pid: 42, executable: "/usr/bin/routerd")
    let event = Event(
      at: PresentationClock.system.wall(), .daemonStarted(Event.Daemon(Presentation.Responder(process: process))))
    try await log.append(Array(repeating: event, count: count))
    await log.close()
    return try await AuditReader(path: path).head()
  }

  func copy(to name: String) throws -> String {
    try FileManager.default.copyItem(atPath: path, toPath: directory.file(name))
    return directory.file(name)
  }

  /// Runs `routerctl log`, and returns its output.
  @discardableResult
  func run(_ arguments: String..., database: String? = nil, status: Int32 = 0) async throws -> [String] {
    let (process, output) = try await start(arguments + ["--database", database ?? path])
    await process.expectExit(status)
    return output
  }

  /// Runs `routerctl log`, which fails, and returns its last line of standard error.
  func failure(_ arguments: String..., database: String? = nil, status: Int32) async throws -> String {
    let (process, _) = try await start(arguments + ["--database", database ?? path])
    await process.expectExit(status)
    var last = ""
    for await line in process.errors { last = line }
    return last
  }

  private func start(_ arguments: [String]) async throws -> (process: ChildProcess, output: [String]) {
    let process = try ChildProcess("routerctl", ["log"] + arguments)
    return (process, await process.allOutput())
  }

  /// Runs a command of the system.
  func shell(_ command: String) async throws {
    let process = try ChildProcess("/bin/sh", ["-ec", "cd \(directory.path)\n\(command)"])
    await process.expectExit()
  }

  /// Changes a title and recomputes the whole chain, with the program of Docs/Decisions/hash-chain.md.
  func rewrite(_ database: String) async throws {
    let program = """
      import hashlib, sqlite3, sys

      database = sqlite3.connect(sys.argv[1])
      triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
      for name, _ in triggers:
          database.execute(f"DROP TRIGGER {name}")
      database.execute("UPDATE events SET detail = replace(detail, 'Deploy 1.0', 'Deploy 6.6')")
      before = bytes(32)
      events = database.execute("SELECT seq, at, type, presentation, detail FROM events ORDER BY seq").fetchall()
      for seq, at, kind, presentation, detail in events:
          about = "" if presentation is None else f"={presentation}"
          before = hashlib.sha256(before + f"{seq}\\n{at}\\n{kind}\\n{about}\\n{detail}".encode()).digest()
          database.execute("UPDATE events SET hash = ? WHERE seq = ?", (before, seq))
      for _, sql in triggers:
          database.execute(sql)
      database.commit()
      """
    try directory.write(program, to: "rewrite.py")
    try await shell("python3 rewrite.py \(database)")
    try await run("reindex", database: database)
  }

  /// Removes the events after a number.
  func cut(_ database: String, after seq: Int64) async throws {
    try await shell(
      """
      sqlite3 \(database) "SELECT sql || ';' FROM sqlite_schema WHERE type = 'trigger'" > triggers.sql
      sqlite3 \(database) "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'" > drop.sql
      sqlite3 \(database) < drop.sql
      sqlite3 \(database) "DELETE FROM events WHERE seq > \(seq)"
      sqlite3 \(database) < triggers.sql
      """)
    try await run("reindex", database: database)
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: directory.file(name), encoding: .utf8) }
}
