/// The SQL of each step. A step that was released is never changed.
extension AuditMigrations {
  static let recordAndRows = """
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
  static let callbacksAndKeys = """
    ALTER TABLE presentations ADD COLUMN callback_state TEXT;     -- of callback: pending, delivered, failed
    CREATE INDEX presentations_to_call_back ON presentations (number)
      WHERE callback_state = 'pending' AND state = 'resolved';

    ALTER TABLE presentations ADD COLUMN idempotency_key TEXT;    -- by the requester's own word; its scope is uid and app
    ALTER TABLE presentations ADD COLUMN request_hash BLOB;       -- SHA-256 of the body that came with the key
    CREATE INDEX presentations_by_key ON presentations (idempotency_key, uid, app) WHERE idempotency_key IS NOT NULL;
    """

  /// The requester's systemd unit.
  static let units = """
    ALTER TABLE presentations ADD COLUMN unit TEXT;           -- the requester's systemd unit, where it had one
    """

  /// What the log query tool goes by: indexes that are in the order of asking, the times' steps, the words of every
  /// presentation that has ended, counts by hour, and where the record begins after pruning.
  static let queries = """
    DROP INDEX presentations_by_time;          -- times are found by halving the numbers; clock_steps
    DROP INDEX presentations_by_app;
    CREATE INDEX presentations_by_app ON presentations (app);         -- each has the number at its end
    CREATE INDEX presentations_by_uid ON presentations (uid);
    CREATE INDEX presentations_by_surface ON presentations (surface);
    CREATE INDEX presentations_by_outcome ON presentations (outcome) WHERE outcome IS NOT NULL;

    CREATE TABLE clock_steps (                 -- the wall clock was set back by more than ten seconds
      series TEXT NOT NULL CHECK (series IN ('events', 'presentations')),
      start INTEGER NOT NULL,                  -- the seq, or the number, of the first one after it
      PRIMARY KEY (series, start)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE texts (                       -- what can be searched for, once a presentation has ended
      number INTEGER PRIMARY KEY,              -- presentations.number
      title TEXT,
      message TEXT,
      sheet TEXT,
      answer TEXT                              -- never of a sensitive one
    ) STRICT;
    CREATE VIRTUAL TABLE words USING fts5 (
      title, message, sheet, answer, content = 'texts', content_rowid = 'number', columnsize = 0,
      tokenize = 'unicode61 remove_diacritics 2');

    CREATE TABLE stats (                       -- presentations that have ended, counted
      hour INTEGER NOT NULL,                   -- in which they were asked for, in hours since 1970-01-01 UTC
      outcome TEXT NOT NULL,
      app TEXT NOT NULL,
      number INTEGER NOT NULL,
      waited BLOB NOT NULL,                    -- how long they waited, and were shown; Docs/Decisions/log-queries.md
      shown BLOB NOT NULL,
      PRIMARY KEY (hour, outcome, app)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE anchors (                     -- up to where the record was pruned; the last one counts
      seq INTEGER PRIMARY KEY,                 -- the last event that is gone
      hash BLOB NOT NULL,                      -- its hash
      number INTEGER NOT NULL                  -- presentations before this one may go with it
    ) STRICT;
    CREATE TRIGGER anchors_only_rise BEFORE INSERT ON anchors
      WHEN new.seq <= (SELECT max(seq) FROM anchors) OR new.hash IS NOT (SELECT hash FROM events WHERE seq = new.seq)
      BEGIN SELECT RAISE(ABORT, 'an anchor is an event that is on record, after the last one'); END;
    CREATE TRIGGER anchors_are_not_changed BEFORE UPDATE ON anchors
      BEGIN SELECT RAISE(ABORT, 'anchors stay'); END;
    CREATE TRIGGER anchors_are_not_deleted BEFORE DELETE ON anchors
      BEGIN SELECT RAISE(ABORT, 'anchors stay'); END;

    DROP TRIGGER events_are_not_deleted;
    CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
      WHEN old.seq > coalesce((SELECT max(seq) FROM anchors), 0)
      BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    DROP TRIGGER presentations_are_not_deleted;
    CREATE TRIGGER presentations_are_not_deleted BEFORE DELETE ON presentations
      WHEN old.state <> 'resolved'
        OR old.number >= coalesce((SELECT number FROM anchors ORDER BY seq DESC LIMIT 1), 0)
        OR EXISTS (SELECT 1 FROM events WHERE presentation = old.id AND seq > (SELECT max(seq) FROM anchors))
      BEGIN SELECT RAISE(ABORT, 'presentations stay on record as long as their events'); END;
    """

  /// What makes recording cheaper, and counting over everything.
  static let cheaperWrites = """
    CREATE TABLE totals (                      -- as stats, of all apps together
      hour INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      number INTEGER NOT NULL,
      waited BLOB NOT NULL,
      shown BLOB NOT NULL,
      PRIMARY KEY (hour, outcome)
    ) STRICT, WITHOUT ROWID;

    -- SQLite makes a table for each statement that checks a column against a list of three. It cannot alter a CHECK, and says how
    -- it is done where nothing on disk changes by it (sqlite.org/lang_altertable.html, section 7).
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema
      SET sql = replace(sql, 'state IN (''queued'', ''presented'', ''resolved'')',
        'state = ''queued'' OR state = ''presented'' OR state = ''resolved''')
      WHERE type = 'table' AND name = 'presentations';
    PRAGMA writable_schema = RESET;

    -- With ABORT, SQLite keeps what each statement changes, to take back that alone.
    DROP TRIGGER presentations_end_once;
    CREATE TRIGGER presentations_end_once BEFORE UPDATE OF state, outcome, result ON presentations
      WHEN old.state = 'resolved' AND (new.state <> old.state OR new.outcome <> old.outcome OR new.result IS NOT old.result)
      BEGIN SELECT RAISE(ROLLBACK, 'a presentation ends once'); END;
    """

  /// What the log is queried by is written for many presentations together; until then one is fresh, and looked at as it is.
  static let indexesInCompany = """
    CREATE TABLE fresh (                       -- in none of the tables that are queried by: open, or ended last
      number INTEGER PRIMARY KEY               -- presentations.number
    ) STRICT;
    INSERT INTO fresh SELECT number FROM presentations WHERE state <> 'resolved';
    DROP INDEX presentations_open;

    -- Tables in place of indexes, for an index is written with its row.
    DROP INDEX presentations_by_app;
    DROP INDEX presentations_by_uid;
    DROP INDEX presentations_by_surface;
    DROP INDEX presentations_by_outcome;
    CREATE TABLE presentations_by_app (
      app TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE presentations_by_uid (
      uid INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (uid, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE presentations_by_surface (
      surface TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (surface, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE presentations_by_outcome (
      outcome TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (outcome, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO presentations_by_app SELECT app, number FROM presentations WHERE state = 'resolved' ORDER BY 1, 2;
    INSERT INTO presentations_by_uid SELECT uid, number FROM presentations WHERE state = 'resolved' ORDER BY 1, 2;
    INSERT INTO presentations_by_surface SELECT surface, number FROM presentations WHERE state = 'resolved' ORDER BY 1, 2;
    INSERT INTO presentations_by_outcome SELECT outcome, number FROM presentations WHERE state = 'resolved' ORDER BY 1, 2;
    """
}
