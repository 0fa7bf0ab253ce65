import CBenchmarkSQLite
import Dispatch

@testable import Router
@testable import RouterCore
@testable import RouterLog

/// Writes the same rows in the same group commits, without the chain, search words, counts, and all indexes except ids.
final class BareLog: @unchecked Sendable {
  // A lock guards `waiting`; everything else is used only on the serial queue.
  private typealias Batch = (events: [Event], done: CheckedContinuation<Void, Never>)

  private let lock = DispatchSemaphore(value: 1)
  private var waiting: [Batch] = []
  private var isScheduled = false
  private let queue = DispatchQueue(label: "bare")
  private var database: OpaquePointer?
  private var folded: [PresentationID: Presentation] = [:]
  private var event: OpaquePointer?
  private var insert: OpaquePointer?
  private var update: OpaquePointer?
  private var begin: OpaquePointer?
  private var commit: OpaquePointer?

  init(path: String) throws {
    check(sqlite3_open(path, &database))
    check(
      sqlite3_exec(
        database,
        """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE events (seq INTEGER PRIMARY KEY, at TEXT, type TEXT, presentation TEXT, detail TEXT) STRICT;
        CREATE TABLE presentations (
          number INTEGER PRIMARY KEY, id TEXT UNIQUE, surface TEXT, kind TEXT, app TEXT, uid INTEGER, gid INTEGER, pid INTEGER,
          executable TEXT, title TEXT, message TEXT, request TEXT, requested_at TEXT, state TEXT, generation INTEGER,
          presented_at TEXT, resolved_at TEXT, outcome TEXT, result TEXT) STRICT;
        """, nil, nil, nil))
    event = prepare("INSERT INTO events (at, type, presentation, detail) VALUES (?, ?, ?, ?)")
    insert = prepare(
      """
      INSERT INTO presentations (id, surface, kind, app, uid, gid, pid, executable, title, message, request, requested_at, state,
        generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    update = prepare(
      "UPDATE presentations SET state = ?, generation = ?, presented_at = ?, resolved_at = ?, outcome = ?, result = ? WHERE id = ?"
    )
    begin = prepare("BEGIN IMMEDIATE")
    commit = prepare("COMMIT")
  }

  func append(_ events: [Event]) async throws {
    await withCheckedContinuation { continuation in
      lock.wait()
      waiting.append((events, continuation))
      let mustSchedule = !isScheduled
      isScheduled = true
      lock.signal()
      if mustSchedule { queue.async { self.drain() } }
    }
  }

  private func drain() {
    while true {
      lock.wait()
      let batches = waiting
      waiting = []
      if batches.isEmpty { isScheduled = false }
      lock.signal()
      if batches.isEmpty { return }
      run(begin, [])
      for batch in batches { for event in batch.events { write(event) } }
      run(commit, [])
      for batch in batches { batch.done.resume() }
    }
  }

  private func write(_ happened: Event) {
    run(
      event,
      [
        happened.at.description, happened.kind.rawValue, happened.presentation?.description, happened.detailText.description,
      ])
    guard let id = happened.presentation else { return }
    if case .requested = happened.detail {
      folded[id] = try? Presentation(happened)
    } else {
      guard (try? folded[id]?.apply(happened)) != nil else { return }
    }
    guard let presentation = folded[id] else { return }
    if presentation.state == .resolved { folded[id] = nil }
    let (request, process) = (presentation.request, presentation.requester.process)
    if happened.kind == .requested {
      run(
        insert,
        [
          presentation.id.description, request.surface, request.kind.rawValue, presentation.requester.app, Int(process.uid),
          Int(process.gid), Int(process.pid), process.executable, request.title, request.message,
          presentation.requestText.description,
          presentation.requestedAt.description, presentation.state.rawValue, presentation.generation,
        ])
    } else {
      run(
        update,
        [
          presentation.state.rawValue, presentation.generation, presentation.presentedAt?.description,
          presentation.resolvedAt?.description, presentation.outcome?.name.rawValue, presentation.outcome?.jsonText.description,
          presentation.id.description,
        ])
    }
  }

  private func prepare(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    return statement
  }

  private func run(_ statement: OpaquePointer?, _ values: [(any Sendable)?]) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      switch value {
      case let number as Int: sqlite3_bind_int64(statement, index, Int64(number))
      case var text as String:
        _ = text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { csqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count)) }
        }
      default: sqlite3_bind_null(statement, index)
      }
    }
    let code = sqlite3_step(statement)
    precondition(code == SQLITE_DONE || code == SQLITE_ROW, "SQLite error \(code)")
    sqlite3_reset(statement)
  }

  private func check(_ code: Int32) {
    precondition(code == SQLITE_OK, "SQLite error \(code)")
  }
}
