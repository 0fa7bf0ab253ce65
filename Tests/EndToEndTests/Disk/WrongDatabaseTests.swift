import Foundation
import TestSupport
import Testing

@testable import Router
@testable import RouterLog

/// Files that are not Router's database: the daemon says so in one line, exits with 1, and changes nothing.
/// Promise P16.
@Suite(.timeLimit(.minutes(10)))
struct WrongDatabaseTests {
  /// A file in place of the database, and the words expected in the error.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: String
    let make: @Sendable (String) async throws -> Void

    init(_ description: String, _ words: String, make: @escaping @Sendable (String) async throws -> Void) {
      testDescription = description
      self.words = words
      self.make = make
    }
  }

  static let wrongs: [Wrong] = [
    Wrong("text", "the file is damaged or not a database") { try write(String(repeating: "Dear diary, ", count: 900), to: $0) },
    Wrong("two bytes", "the file is damaged or not a database") { try write("hi", to: $0) },
    Wrong("another program's database", "it is the database of another program") { path in
      try execute("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x');", at: path)
    },
    Wrong("another program's database with a write-ahead log", "it is the database of another program") { path in
      try execute("PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT);", at: path)
    },
    Wrong("another program's number", "it is the database of another program") { path in
      try execute("PRAGMA application_id = 252006673; CREATE TABLE repository (x);", at: path)
    },
    Wrong("an empty database of another program", "it is the database of another program") { path in
      try execute("PRAGMA user_version = 3; CREATE TABLE x (y); DROP TABLE x;", at: path)
    },
    Wrong("a newer version", "another version of Router made it (schema version 99)") { path in
      try await TestDaemon.run(database: path) { daemon in
        daemon.process.signal(SIGTERM)
        _ = await daemon.process.exitStatus()
      }
      try execute("PRAGMA user_version = 99", at: path)
    },
    Wrong("a directory", "Is a directory") {
      try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
    },
    Wrong("a pipe", "it is not a regular file") { #expect(mkfifo($0, 0o600) == 0) },
    Wrong("a link to nowhere", "No such file or directory") {
      try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/nonexistent/log.db")
    },
  ]

  private static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private static func execute(_ script: String, at path: String) throws {
    try SQLiteConnection(path: path, mode: .readWrite).execute(script)
  }

  @Test(arguments: wrongs)
  func `refuses a file that is not its database in one line, untouched`(wrong: Wrong) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    try await wrong.make(path)
    let before = FileManager.default.contents(atPath: path)
    try await refused(path, in: directory, wrong.words)
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(!FileManager.default.fileExists(atPath: directory.file("s")))
  }

  @Test func `refuses a database on a read-only filesystem in one line`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("read/log.db")
    try FileManager.default.createDirectory(atPath: directory.file("read"), withIntermediateDirectories: false)
    try await TestDaemon.run(database: path) { daemon in
      daemon.process.signal(SIGTERM)
      _ = await daemon.process.exitStatus()
    }
    let before = FileManager.default.contents(atPath: path)
    // Permissions do not bind root, so root gets a read-only mount instead.
    let isRoot = geteuid() == 0
    let place = directory.file("read")
    if isRoot {
      await (try ChildProcess("/bin/mount", ["--bind", place, place])).expectExit()
      await (try ChildProcess("/bin/mount", ["-o", "remount,bind,ro", place])).expectExit()
    } else {
      #expect(chmod(path, 0o400) == 0 && chmod(place, 0o500) == 0)
    }
    try await refused(path, in: directory, isRoot ? "Read-only file system" : "Permission denied")
    try await refused(directory.file("read/new.db"), in: directory, isRoot ? "Read-only file system" : "Permission denied")
    if isRoot {
      await (try ChildProcess("/bin/umount", ["-l", place])).expectExit()
    } else {
      #expect(chmod(place, 0o700) == 0)
    }
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  /// SQLite opens these files with the database, and would wait for the other end of a pipe.
  @Test(arguments: ["-journal", "-wal", "-shm"])
  func `refuses a pipe in place of a file beside the database, in the daemon and in the log commands`(
    suffix: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("log.db")
    try await TestDaemon.run(database: path) { daemon in
      daemon.process.signal(SIGTERM)
      _ = await daemon.process.exitStatus()
    }
    #expect(mkfifo(path + suffix, 0o600) == 0)
    try await refused(path, in: directory, "\(path)\(suffix) is not a regular file; remove it")
    for command in [["log"], ["log", "verify"], ["log", "backup", directory.file("copy.db")]] {
      let log = try ChildProcess("routerctl", command + ["--database", path])
      #expect(await log.line(with: "\(path)\(suffix) is not a regular file; remove it") != nil, "\(command)")
      #expect(await log.exitStatus() != 0)
    }
  }

  @Test func `names a directory that it cannot create`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("a file", to: "file")
    try await refused(
      directory.file("file/deep/log.db"), in: directory, "cannot create the directory \(directory.file("file/deep"))")
  }

  /// Expects the daemon to refuse a database.
  private func refused(_ path: String, in directory: TemporaryDirectory, _ words: String) async throws {
    let daemon = try ChildProcess("routerd", ["--socket", directory.file("s"), "--database", path])
    var lines: [String] = []
    for await line in daemon.errors { lines.append(line) }
    await daemon.expectExit(1)
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("Error: cannot ") == true, "\(lines)")
    #expect(lines.first?.contains(words) == true && lines.first?.contains(path.dropLast(7)) == true, "\(lines)")
  }
}
