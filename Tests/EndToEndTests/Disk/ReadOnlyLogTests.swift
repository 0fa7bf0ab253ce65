import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Reading the log from a read-only place; see Docs/Decisions/sqlite.md.
/// Promise P6.
@Suite(.timeLimit(.minutes(10)))
struct ReadOnlyLogTests {
  let directory: TemporaryDirectory
  /// The directory that is made read-only, and the database in it.
  let place: String
  var path: String { place + "/log.db" }

  init() throws {
    directory = try TemporaryDirectory()
    place = directory.file("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
  }

  /// Runs a body while the directory is read-only. Permissions do not bind root, so root gets a read-only mount instead.
  private func readOnly(_ body: () async throws -> Void) async throws {
    let isRoot = geteuid() == 0
    if isRoot {
      await (try ChildProcess("/bin/mount", ["--bind", place, place])).expectExit()
      await (try ChildProcess("/bin/mount", ["-o", "remount,bind,ro", place])).expectExit()
    } else {
      #expect(chmod(place, 0o500) == 0)
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    if isRoot {
      await (try ChildProcess("/bin/umount", ["-l", place])).expectExit()
    } else {
      #expect(chmod(place, 0o700) == 0)
    }
    try result.get()
  }

  /// Asks `count` times, and copies the database and its write-ahead log while the daemon has them open.
  private func copyOfLiveLog(asking count: Int) async throws {
    try await TestDaemon.run { daemon in
      for number in 0..<count { try await ask("Question \(number)", daemon) }
      // The daemon writes the rows before it reads them.
      let rows = try await daemon.rows(atLeast: count)
      #expect(rows == count)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: daemon.database + suffix, toPath: path + suffix)
      }
    }
    let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    #expect((log[.size] as? Int ?? 0) > 0)
  }

  /// Asks, and expects the request to be recorded.
  private func ask(_ title: String, _ daemon: TestDaemon) async throws {
    let reply = try await daemon.ask(title)
    #expect(reply.status == 202)
  }

  /// Expects routerctl to list these titles, in this order.
  private func findsTitles(_ expected: [String]) async throws {
    let found = try await titles()
    #expect(found == expected)
  }

  private func titles() async throws -> [String] { try await list(path).titles }

  /// The titles that routerctl lists, and its standard error.
  private func list(_ path: String) async throws -> (titles: [String], errors: String) {
    let list = try ChildProcess("routerctl", ["log", "--json", "--database", path])
    let lines = await list.allOutput()
    var errors = ""
    for await line in list.errors { errors += line + "\n" }
    await list.expectExit()
    return (try lines.map { try Presentation(json: JSONValue(parsing: $0)).request.title ?? "" }, errors)
  }

  @Test func `reads a copy with its write-ahead log on a read-only mount`() async throws {
    try await copyOfLiveLog(asking: 5)
    try await readOnly {
      let reader = try AuditReader(path: path)
      #expect(reader.isSnapshot)
      try await findsTitles((0..<5).map { "Question \($0)" })
      let verify = try ChildProcess("routerctl", ["log", "verify", "--database", path])
      await verify.expectExit()
      // No file was created next to it.
      #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["log.db", "log.db-wal"])
    }
  }

  @Test func `reads a copy with its write-ahead log in a writable directory`() async throws {
    try await copyOfLiveLog(asking: 3)
    try await findsTitles((0..<3).map { "Question \($0)" })
  }

  @Test func `reads a killed daemon's log on a read-only mount`() async throws {
    try await TestDaemon.run(database: path) { daemon in
      for number in 0..<4 { try await ask("Question \(number)", daemon) }
      // The daemon writes the rows before it reads them.
      let rows = try await daemon.rows(atLeast: 4)
      #expect(rows == 4)
      await daemon.end(by: SIGKILL)
    }
    // Without it, SQLite cannot tell a live write-ahead log from a leftover one.
    try FileManager.default.removeItem(atPath: path + "-shm")
    try await readOnly { try await findsTitles((0..<4).map { "Question \($0)" }) }
  }

  @Test func `says how many events of a killed daemon have no rows, where it may not write them`() async throws {
    let disk = try FaultyDisk(in: directory.path)
    try await TestDaemon.run(environment: disk.environment, database: path) { daemon in
      try await ask("Indexed", daemon)
      #expect(try await daemon.rows(atLeast: 1) == 1)
      try await disk.failRows(of: daemon, asking: ("Question 0", "Question 1"))
      await daemon.end(by: SIGKILL)
    }
    try FileManager.default.removeItem(atPath: path + "-shm")
    let (note, copy) = ("the newest 2 events are not indexed yet", directory.file("copy.db"))
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    try await readOnly {
      let list = try await list(path)
      #expect(list.titles == ["Indexed"] && list.errors.contains(note), "\(list)")
    }
    // In a writable place, the copy and the original are completed.
    for database in [copy, path] {
      for _ in 0..<2 {
        let list = try await list(database)
        #expect(list.titles == ["Indexed", "Question 0", "Question 1"] && !list.errors.contains("indexed"), "\(list)")
      }
    }
  }

  @Test func `reads a closed database on a read-only mount`() async throws {
    try await TestDaemon.run(database: path) { daemon in
      try await ask("Question", daemon)
      await daemon.end(by: SIGTERM)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    try await readOnly {
      let reader = try AuditReader(path: path)
      #expect(reader.isSnapshot)
      try await findsTitles(["Question"])
    }
  }

  @Test func `reads a running daemon's log through a read-only mount`() async throws {
    try await TestDaemon.run(database: path) { daemon in
      try await ask("Before", daemon)
      let view = directory.file("view")
      try FileManager.default.createDirectory(atPath: view, withIntermediateDirectories: false)
      guard geteuid() == 0 else { return }
      await (try ChildProcess("/bin/mount", ["--bind", place, view])).expectExit()
      await (try ChildProcess("/bin/mount", ["-o", "remount,bind,ro", view])).expectExit()
      do {
        let reader = try AuditReader(path: view + "/log.db")
        #expect(!reader.isSnapshot)
        let before = try await reader.lastSeq()
        try await ask("After", daemon)
        #expect(try await reader.lastSeq() > before)
        // Once it has written the rows, the daemon leaves the shared memory alone.
        #expect(try await daemon.rows(atLeast: 2) == 2)
        // A header that the daemon is writing differs from its copy (sqlite.org/walformat.html).
        let copyOfHeader: UInt64 = 48
        let memory = try FileHandle(forUpdating: URL(filePath: path + "-shm"))
        try memory.seek(toOffset: copyOfHeader)
        let byte = try #require(try memory.read(upToCount: 1)?.first)
        func write(_ byte: UInt8) throws {
          try memory.seek(toOffset: copyOfHeader)
          try memory.write(contentsOf: [byte])
        }
        try write(~byte)
        let error = await #expect(throws: RouterError.self) { try await reader.lastSeq() }
        #expect((error?.cause as? SQLiteError)?.needsRecovery == true, "\(String(describing: error))")
        try write(byte)
        #expect(try await reader.lastSeq() > before)
      }
      await (try ChildProcess("/bin/umount", ["-l", view])).expectExit()
    }
  }
}
