/// The schema of the audit log. The version is that of the events; derived tables are recreated when their schema changes.
enum AuditSchema {
  static let version = 1

  /// The SQL expression for the last event that a `pruned` event removed. It parses the first member of the detail
  /// itself, since SQLite's JSON functions are not allowed in an untrusted schema.
  static let prunedThrough = "CAST(substr(detail, instr(detail, '\"through\":') + 10, 19) AS INTEGER)"

  /// The SQL condition for events that determine grants, rules and pauses.
  ///
  /// Avoids `IN`, for which SQLite fills a temporary table per inserted event.
  static let isStanding =
    "(\(["granted", "revoked", "rulesLoaded", "paused", "resumed"].map { "type = '\($0)'" }.joined(separator: " OR ")))"

  /// The SQL condition for events of a grant, and the expression for its id, the first member of the detail.
  static let isOfGrant = "(type = 'granted' OR type = 'revoked')"
  static let grantID = "substr(detail, 11, 36)"

  static let sql = events + rows

  private static let events = """
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY,                 -- rises by one
      at TEXT NOT NULL,                        -- RFC 3339, UTC, milliseconds
      type TEXT NOT NULL,
      presentation TEXT,                       -- presentations.id, where it is about one
      detail TEXT NOT NULL,                    -- JSON
      hash BLOB NOT NULL                       -- SHA-256 of the previous hash and this event; Docs/Decisions/hash-chain.md
    ) STRICT;

    CREATE INDEX events_of_presentation ON events (presentation, seq) WHERE presentation IS NOT NULL;
    CREATE INDEX events_pruned ON events (\(prunedThrough)) WHERE type = 'pruned';

    CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
      WHEN old.seq > coalesce((SELECT max(\(prunedThrough)) FROM events WHERE type = 'pruned'), 0)
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

    """

  /// The derived tables.
  static let rows = """
    DROP INDEX IF EXISTS events_standing;
    CREATE INDEX events_standing ON events (seq) WHERE \(isStanding);
    DROP INDEX IF EXISTS events_of_grant;
    CREATE INDEX events_of_grant ON events (\(grantID), seq) WHERE \(isOfGrant);

    CREATE TABLE presentations (
      number INTEGER PRIMARY KEY,              -- in the order of asking
      id TEXT NOT NULL UNIQUE,                 -- UUIDv7
      surface TEXT NOT NULL,
      kind TEXT NOT NULL,
      sheet TEXT,
      app TEXT NOT NULL,                       -- claimed by the requester
      uid INTEGER NOT NULL,                    -- from the kernel, as gid and pid; /proc had the rest to ancestry
      gid INTEGER NOT NULL,
      pid INTEGER NOT NULL,
      login_uid INTEGER,                       -- who logged in, if another user: su and sudo do not change it
      executable TEXT,
      executable_doubt TEXT,                   -- otherNamespace, deleted, later: why it may not be the program that connected
      unit TEXT,                               -- systemd unit
      host TEXT NOT NULL,                      -- empty for this machine
      directory TEXT,                          -- working directory
      ancestry TEXT,                           -- JSON: the processes above it
      title TEXT,
      message TEXT,
      parent TEXT,                             -- presentations.id of what it is stacked on
      requested_at TEXT NOT NULL,
      idempotency_key TEXT,                    -- unique within uid and app while open
      request_hash BLOB,                       -- SHA-256 of the request that came with the key
      state TEXT NOT NULL,                     -- queued, presented, resolved
      attached INTEGER NOT NULL,
      lane INTEGER NOT NULL,                   -- place in line: 0 first, then critical, high, normal, low
      round INTEGER NOT NULL,                  -- the user's turn within the lane
      rank INTEGER NOT NULL,                   -- within the round
      level INTEGER NOT NULL,                  -- in the stack of its surface, 0 at the bottom
      covered INTEGER NOT NULL,
      generation INTEGER NOT NULL,             -- how many times it was shown
      presented_at TEXT,                       -- first
      resolved_at TEXT,
      outcome TEXT,                            -- answered, dismissed, cancelled, expired, failed
      reason TEXT,                             -- of cancelled; the phase of expired; of answered: yes, no, other
      result TEXT,                             -- JSON: the whole outcome, without a sensitive answer
      resolved_by TEXT,                        -- JSON
      settled_by TEXT,                         -- grant:ID of a remembered answer, rule:ID:SHA256; NULL if a person looked
      approvals TEXT,                          -- JSON: the people who approved before the last
      callback TEXT,                           -- JSON
      callback_state TEXT,                     -- pending, delivered, failed
      ran TEXT,                                -- JSON: what came of the act, in the requester's words
      request TEXT NOT NULL,                   -- JSON, as it was sent
      ruled TEXT                               -- JSON: the rule that a person was asked under, and what it changed
    ) STRICT;

    -- Each ends with the number, so a page is read in order from the place where it begins.
    CREATE INDEX presentations_by_app ON presentations (app);
    CREATE INDEX presentations_by_uid ON presentations (uid);
    CREATE INDEX presentations_by_surface ON presentations (surface);
    CREATE INDEX presentations_by_outcome ON presentations (outcome) WHERE outcome IS NOT NULL;
    CREATE INDEX presentations_open ON presentations (number) WHERE state <> 'resolved';
    CREATE INDEX presentations_to_call_back ON presentations (number)
      WHERE callback_state = 'pending' AND state = 'resolved';
    CREATE INDEX presentations_settled ON presentations (settled_by) WHERE settled_by IS NOT NULL;
    CREATE INDEX presentations_ruled ON presentations (ruled) WHERE ruled IS NOT NULL;
    CREATE INDEX presentations_by_key ON presentations (idempotency_key, uid, app) WHERE idempotency_key IS NOT NULL;

    -- The texts that a search looks at; rowid is presentations.number. A sensitive answer is never in it.
    CREATE VIRTUAL TABLE words USING fts5 (
      title, message, sheet, answer, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
    -- Every batch of rows adds a segment; merging four at a time would cost more than searching some more.
    INSERT INTO words (words, rank) VALUES ('automerge', 16);

    CREATE TABLE counts (                      -- durations of ended presentations, counted
      app TEXT NOT NULL,                       -- empty for all apps together
      period INTEGER NOT NULL,                 -- hour of the request since 1970-01-01 UTC; 0 for all time, where app is set
      outcome TEXT NOT NULL,                   -- answered/yes, answered/no, answered/other; else as above
      measure TEXT NOT NULL,                   -- each that ended has one waited, or settled (bucket 0); shown
      bucket INTEGER NOT NULL,                 -- of the duration; see DurationBucket
      n INTEGER NOT NULL,
      PRIMARY KEY (app, period, outcome, measure, bucket)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE projected (                   -- one row
      seq INTEGER NOT NULL                     -- the last event that the other tables include; -1 before they are made again
    ) STRICT;
    INSERT INTO projected (seq) VALUES (0);

    CREATE TABLE hours (                       -- runs of successive rows whose time is in the same hour
      series TEXT NOT NULL,                    -- events, presentations
      first INTEGER NOT NULL,                  -- seq or number of the first row of the run
      hour INTEGER NOT NULL,                   -- hours since 1970-01-01 UTC
      PRIMARY KEY (series, first)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER presentations_are_asked_once
      BEFORE UPDATE OF \(PresentationRow.columns.filter { !$0.changes }.map(\.name).joined(separator: ", ")) ON presentations
      BEGIN SELECT RAISE(ABORT, 'what was asked does not change'); END;
    -- ROLLBACK, because with ABORT SQLite keeps a journal of each statement to undo it alone.
    CREATE TRIGGER presentations_end_once BEFORE UPDATE OF state, outcome, result ON presentations
      WHEN old.state = 'resolved' AND (new.state <> old.state OR new.outcome <> old.outcome OR new.result IS NOT old.result)
      BEGIN SELECT RAISE(ROLLBACK, 'a presentation ends once'); END;
    CREATE TRIGGER presentations_are_not_deleted BEFORE DELETE ON presentations
      WHEN old.state <> 'resolved' OR EXISTS (
        SELECT 1 FROM events WHERE presentation = old.id AND type = 'requested'
          AND seq > coalesce((SELECT max(\(prunedThrough)) FROM events WHERE type = 'pruned'), 0))
      BEGIN SELECT RAISE(ABORT, 'presentations stay on record as long as their events'); END;
    """
}
