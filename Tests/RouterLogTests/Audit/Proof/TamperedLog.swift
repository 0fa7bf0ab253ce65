import Testing

@testable import Router
@testable import RouterLog

/// A copy of a log changed by an attacker with write access. Triggers are dropped during the change and restored afterwards.
struct TamperedLog {
  let connection: SQLiteConnection
  private let triggers: [String]

  init(path: String) throws {
    connection = try SQLiteConnection(path: path, mode: .existing)
    // The log of a test need not survive a power failure.
    try connection.execute("PRAGMA synchronous = OFF")
    let objects = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") {
      ($0.text(0) ?? "", $0.text(1) ?? "")
    }
    triggers = objects.map(\.1)
    for (name, _) in objects { try connection.execute("DROP TRIGGER \(name)") }
  }

  func close() throws {
    for trigger in triggers { try connection.execute(trigger) }
    connection.close()
  }

  /// Changes a copy.
  static func change(_ path: String, _ body: (SQLiteConnection) throws -> Void) throws {
    let log = try TamperedLog(path: path)
    try body(log.connection)
    try log.close()
  }

  /// Changes a copy while the tables' constraints are removed from the schema.
  static func withoutConstraints(_ path: String, _ body: (SQLiteConnection) throws -> Void) throws {
    let before = try edit(path) { connection in
      let sql = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL") {
        ($0.text(0) ?? "", $0.text(1) ?? "")
      }
      for (name, text) in sql where !text.contains("VIRTUAL") {
        let free = text.replacing(" NOT NULL", with: "").replacing("STRICT, WITHOUT", with: "WITHOUT")
          .replacing(") STRICT", with: ")")
        try connection.run("UPDATE sqlite_schema SET sql = ? WHERE name = ?", .text(free), .text(name))
      }
      return sql
    }
    defer {
      _ = try? edit(path) { connection in
        for (name, text) in before {
          try connection.run("UPDATE sqlite_schema SET sql = ? WHERE name = ?", .text(text), .text(name))
        }
      }
    }
    try change(path, body)
  }

  private static func edit<Value>(_ path: String, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    let connection = try SQLiteConnection(path: path, mode: .existing)
    defer { connection.close() }
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA writable_schema = ON")
    return try connection.transaction { try body(connection) }
  }

  /// Recomputes the hash chain from an event on, as an informed attacker would.
  static func rehash(_ connection: SQLiteConnection, from first: Int64 = 1) throws {
    var chain =
      try connection.rows("SELECT seq, hash FROM events WHERE seq = ?", [.integer(first - 1)]) {
        AuditHead(seq: $0.integer(0), hash: $0.blob(1))
      }.first ?? AuditHead()
    let events = try connection.rows(
      "SELECT at, type, presentation, detail, seq FROM events WHERE seq >= ? ORDER BY seq", [.integer(first)]
    ) { ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2), $0.text(3) ?? "", $0.integer(4)) }
    for (at, type, presentation, detail, seq) in events {
      chain.append(at: at, type: type, presentation: presentation, detail: Array(detail.utf8))
      try connection.run(
        "UPDATE events SET hash = ?, seq = ? WHERE seq = ?", .blob(chain.hash), .integer(chain.seq), .integer(seq))
    }
  }
}
