/// The schema, as numbered steps. A step that was released is never changed; the next change is a next step.
enum AuditMigrations {
  /// `Rtrd`, which tells Router's databases from others (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x5274_7264

  /// Each step in the order in which it is taken; `user_version` is how many were.
  static let steps: [String] = [recordAndRows, callbacksAndKeys, units]

  /// Brings a database up to date.
  ///
  /// - Throws: ``RouterError`` for a database of another program, or of a newer Router.
  static func migrate(_ connection: SQLiteConnection, path: String) throws {
    try connection.transaction("BEGIN EXCLUSIVE") {
      let version = try check(connection, path: path)
      for (index, step) in steps.enumerated().dropFirst(version) {
        try connection.execute(step)
        try connection.execute("PRAGMA user_version = \(index + 1)")
      }
      if version == 0 { try connection.execute("PRAGMA application_id = \(applicationID)") }
    }
  }

  /// The version of a database, which is Router's and not newer than this program; 0 for an empty one.
  @discardableResult
  static func check(_ connection: SQLiteConnection, path: String) throws -> Int {
    let id = try connection.integer("PRAGMA application_id")
    let version = Int(try connection.integer("PRAGMA user_version"))
    if id != applicationID {
      let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
      guard isEmpty, id == 0, version == 0 else {
        throw RouterError(.database, "cannot use \(path): it is the database of another program")
      }
    }
    guard version <= steps.count else {
      throw RouterError(
        .database,
        "cannot use \(path): its schema is version \(version), newer than this program's \(steps.count); update the program")
    }
    return version
  }

  /// Lets a database be read that no newer daemon has opened yet: what its schema lacks is absent.
  static func supplement(_ connection: SQLiteConnection) throws {
    let hasUnits =
      try connection.integer(
        "SELECT count(*) FROM pragma_table_info('presentations') WHERE name = 'unit'") > 0
    guard !hasUnits else { return }
    // The connection's own view goes before the table of the same name.
    try connection.execute("CREATE TEMP VIEW presentations AS SELECT *, NULL AS unit FROM main.presentations")
  }

  private static let recordAndRows = """
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY,                 -- rises by one
      at TEXT NOT NULL,                        -- RFC 3339, UTC, milliseconds
      type TEXT NOT NULL,
      presentation TEXT,                       -- presentations.id, where it is about one
      detail TEXT NOT NULL,                    -- JSON
      hash BLOB NOT NULL                       -- SHA-256 of the hash before and of this event; Docs/Decisions/hash-chain.md
    ) STRICT;

    CREATE INDEX events_of_presentation ON events (presentation, seq) WHERE presentation IS NOT NULL;

    CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

    CREATE TABLE presentations (
      number INTEGER PRIMARY KEY,              -- in the order of asking
      id TEXT NOT NULL UNIQUE,                 -- UUIDv7
      surface TEXT NOT NULL,
      kind TEXT NOT NULL,
      sheet TEXT,
      app TEXT NOT NULL,                       -- by the requester's own word
      uid INTEGER NOT NULL,                    -- by the kernel's
      gid INTEGER NOT NULL,
      pid INTEGER NOT NULL,
      executable TEXT,
      title TEXT,
      message TEXT,
      request TEXT NOT NULL,                   -- JSON, as it was asked
      parent TEXT,                             -- presentations.id of what it is stacked on
      requested_at TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('queued', 'presented', 'resolved')),
      attached INTEGER NOT NULL,
      lane INTEGER NOT NULL,                   -- its place in line: 0 before all, then critical, high, normal, low
      rank INTEGER NOT NULL,                   -- within the lane
      level INTEGER NOT NULL,                  -- in the stack of its surface, 0 at the bottom
      covered INTEGER NOT NULL,
      generation INTEGER NOT NULL,             -- how many times it was put up
      presented_at TEXT,                       -- first
      resolved_at TEXT,
      outcome TEXT,                            -- answered, dismissed, cancelled, expired, failed
      reason TEXT,                             -- of cancelled; the phase of expired
      result TEXT,                             -- JSON, the outcome as a whole; an answer that is sensitive is not in it
      resolved_by TEXT,                        -- JSON
      callback TEXT,                           -- JSON
      CHECK ((state = 'resolved') = (outcome IS NOT NULL AND resolved_at IS NOT NULL))
    ) STRICT;

    -- One presentation is shown at a time on each surface, and on each level of its stack.
    CREATE UNIQUE INDEX one_is_presented ON presentations (surface, level) WHERE state = 'presented';
    CREATE INDEX presentations_open ON presentations (lane, rank) WHERE state <> 'resolved';
    CREATE INDEX presentations_by_time ON presentations (requested_at);
    CREATE INDEX presentations_by_app ON presentations (app, number);

    -- A row only follows its events: it is never taken out, and what was asked never changes.
    CREATE TRIGGER presentations_are_asked_once BEFORE UPDATE OF id, request, app, uid, requested_at ON presentations
      BEGIN SELECT RAISE(ABORT, 'what was asked does not change'); END;
    CREATE TRIGGER presentations_are_not_deleted BEFORE DELETE ON presentations
      BEGIN SELECT RAISE(ABORT, 'presentations stay on record'); END;
    CREATE TRIGGER presentations_end_once BEFORE UPDATE OF state, outcome, result ON presentations
      WHEN old.state = 'resolved' AND (new.state <> old.state OR new.outcome <> old.outcome OR new.result IS NOT old.result)
      BEGIN SELECT RAISE(ABORT, 'a presentation ends once'); END;
    """

  /// Callbacks that are to be taken up after a restart, and idempotency keys.
  private static let callbacksAndKeys = """
    ALTER TABLE presentations ADD COLUMN callback_state TEXT;     -- of callback: pending, delivered, failed
    CREATE INDEX presentations_to_call_back ON presentations (number)
      WHERE callback_state = 'pending' AND state = 'resolved';

    ALTER TABLE presentations ADD COLUMN idempotency_key TEXT;    -- by the requester's own word; its scope is uid and app
    ALTER TABLE presentations ADD COLUMN request_hash BLOB;       -- SHA-256 of the body that came with the key
    CREATE INDEX presentations_by_key ON presentations (idempotency_key, uid, app) WHERE idempotency_key IS NOT NULL;
    """

  /// The requester's systemd unit.
  private static let units = """
    ALTER TABLE presentations ADD COLUMN unit TEXT;           -- the requester's systemd unit, where it had one
    """
}
