#if PostgreSQL
import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// What a host that may not lead, `watcher`, can do to two others that serve. Its role is in hostile hands.
/// Promises P23, P24.
@Suite(.timeLimit(.minutes(10)))
struct HostileHostTests {
  private static let notPermitted = "42501"
  /// The daemons' `silenceSeconds`, which is also how long each of their statements may take.
  private static let silence = 20

  /// Asks on one host and answers on another, some times. Expects that nothing takes longer than the timeout.
  private func expectService(
    _ daemons: SharedDaemons, beside attack: String, surface: String = "main", asking: String = "beta",
    presenting: String = "alpha", rounds: Int = 10
  ) async throws {
    let presenter = TestPresenter(daemons[presenting].client, on: surface)
    let request = {
      var request = PresentationRequest.alert("Deploy?")
      request.surface = surface
      return request
    }()
    var longest = Duration.zero
    for _ in 1...rounds {
      let start = ContinuousClock.now
      async let ended = daemons[asking].client.ask(request)
      _ = try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      #expect(try await ended.outcome == .answered(.button("yes")))
      longest = max(longest, .now - start)
    }
    presenter.disconnect()
    print("beside \(attack): at most \(longest) from question to answer")
    #expect(longest < .seconds(Self.silence))
  }

  // MARK: Locks

  @Test func `locks no table against others`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let tables = try await daemons.database.psql(
        "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'router'::regnamespace AND relkind = 'r'")
      #expect(tables.count == 5)
      for role in ["watcher", "beta"] {
        for table in tables {
          for mode in ["ROW SHARE", "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE", "SHARE", "ACCESS EXCLUSIVE"] {
            let lock = "BEGIN; LOCK TABLE \(table) IN \(mode) MODE"
            #expect(try await daemons.database.refusal(of: lock, as: role) == Self.notPermitted, "\(lock)")
          }
          for strength in ["KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE"] {
            let lock = "SELECT FROM \(table) FOR \(strength)"
            #expect(try await daemons.database.refusal(of: lock, as: role) == Self.notPermitted, "\(lock)")
          }
        }
      }
      let names = tables.joined(separator: ", ")
      try await daemons.database.hold("BEGIN", "LOCK TABLE \(names) IN ACCESS SHARE MODE", as: "watcher")
      try await expectService(daemons, beside: "locked tables")
    }
  }

  @Test func `takes no advisory locks, and none with savepoints`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      let functions = try await database.psql(
        """
        SELECT oid::regprocedure || '' FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND proname LIKE '%advisory%' AND proname NOT LIKE '%unlock%'
          AND has_function_privilege('watcher', oid, 'EXECUTE')
        """)
      #expect(functions == [])
      #expect(try await database.refusal(of: "SELECT pg_advisory_lock(1)", as: "watcher") == Self.notPermitted)
      #expect(try await database.refusal(of: "SELECT lo_create(0)", as: "watcher") == Self.notPermitted)
      try await database.psql("SELECT router.add_surface('main')", as: "alpha")
      for call in [
        "enter(1)", "beat()", "add_surface('x')", "send(1, '{main}', '{1}', '{NULL}', '{x}', '{main}', '{0}')",
        "report('p', 'main', 1, NULL)",
      ] {
        let nested = "BEGIN; SAVEPOINT s; SELECT router.\(call)"
        #expect(try await database.refusal(of: nested, as: "watcher") == "25001", "\(call)")
      }
      // However often it joins, a session has one lock.
      let locks = "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND objsubid = 1"
      let joins = "SELECT router.enter(n) FROM generate_series(1, 100) AS n;"
      #expect(try await database.psql("\(joins) \(locks)", as: "watcher").last == "1")
    }
  }

  @Test func `leaves the lead free to take, whatever transactions it has open`() async throws {
    try await SharedDaemons.run(silence: 3) { daemons async throws in
      try await daemons.database.hold(
        "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT router.enter(9), router.beat()",
        "SELECT router.send(9, '{main}', '{1}', '{NULL}', '{x}'), router.report('p', 'main', 1, NULL)",
        "SELECT router.add_surface('other')", as: "watcher")
      try await expectService(daemons, beside: "an open transaction")
      let start = ContinuousClock.now
      await daemons["alpha"].end(by: SIGKILL)
      #expect(try await daemons.leader(otherThan: "alpha") == "beta")
      print("the lead was taken after \(start.duration(to: .now))")
      #expect(start.duration(to: .now) < .seconds(Self.silence))
      try await daemons.start("alpha")
      try await expectService(daemons, beside: "an open transaction, after a takeover", asking: "alpha", presenting: "beta")
      // It can only hold the name that it is adding.
      #expect(try await daemons["alpha"].ask("?", surface: "other").status == 503)
      #expect(try await daemons["alpha"].ask("?", surface: "another").status == 202)
    }
  }

  // MARK: Numbers and sizes

  @Test func `adds no more surfaces than it may, and leaves room for those of others`() async throws {
    try await SharedDaemons.run(environment: ["ROUTERD_SHARED_LIMIT": "16"]) { daemons async throws in
      try await daemons.database.psql("SELECT router.add_surface('s' || n) FROM generate_series(1, 256) AS n", as: "watcher")
      #expect(try await daemons.database.refusal(of: "SELECT router.add_surface('s257')", as: "watcher") == "RT003")
      for name in ["", "..", "a/b", "a b", "ä", String(repeating: "x", count: 65)] {
        #expect(
          try await daemons.database.refusal(of: "SELECT router.add_surface('\(name)')", as: "beta") == "23514", "\(name)")
      }
      // Both join what is on record.
      for host in ["alpha", "beta"] {
        await daemons[host].end(by: SIGTERM)
        try await daemons.start(host)
      }
      for host in ["alpha", "beta"] { try await daemons.join("mine", on: host) }
      try await expectService(daemons, beside: "256 surfaces", surface: "mine")
    }
  }

  @Test func `fills no inbox beyond its share`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let database = daemons.database
      let waiting = "SELECT count(*), coalesce(sum(octet_length(input)), 0) FROM router.inbox WHERE processed IS NULL"
      func send(_ surface: String, _ count: Int, bytes: Int, from start: Int) -> String {
        """
        SELECT router.send(1, array_agg('\(surface)'::text), array_agg(n), array_agg(NULL::text), array_agg(repeat('x', \(bytes))))
        FROM generate_series(\(start), \(start + count - 1)) AS n
        """
      }
      // Nobody leads this surface.
      try await database.psql("SELECT router.add_surface('flood')", as: "watcher")
      #expect(try await database.refusal(of: send("flood", 1, bytes: (4 << 20) + 1, from: 0), as: "watcher") == "23514")
      #expect(try await database.psql(send("flood", 12_000, bytes: 10, from: 0), as: "watcher") == ["10000"])
      #expect(try await database.psql(send("flood", 1, bytes: 10, from: 12_000), as: "watcher") == ["0"])
      try await database.psql("DELETE FROM router.inbox WHERE surface = 'flood'")
      #expect(try await database.psql(send("flood", 20, bytes: 1 << 20, from: 0), as: "watcher") == ["16"])
      #expect(try await database.psql(waiting) == ["16|\(16 << 20)"])
      // Other hosts have room, and what is processed takes none.
      try await database.psql("DELETE FROM router.inbox WHERE surface = 'flood'")
      try database.run(
        """
        DO $$ BEGIN
          FOR n IN 1..1000000 LOOP
            PERFORM router.send(2, array_agg('main'::text), array_agg(n * 500::bigint + i), array_agg(NULL::text), array_agg(repeat('{', 3000)))
              FROM generate_series(1, 500) AS i;
            COMMIT;
          END LOOP;
        END $$
        """, as: "watcher")
      try await database.wait(until: "t", is: "SELECT count(*) > 5000 FROM router.inbox WHERE host = 'watcher'")
      try await expectService(daemons, beside: "a flood of inputs")
      #expect(
        try await database.psql("SELECT count(*) FROM router.inbox WHERE processed IS NOT NULL AND input <> ''") == ["0"])
    }
  }

  @Test func `keeps no inputs whose replies are read, and few whose are not`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let database = daemons.database
      let processed = { (host: String) in "SELECT count(*) FROM router.inbox WHERE host = '\(host)' AND processed IS NOT NULL" }
      var request = PresentationRequest(kind: .sheet, sheet: "password")
      request.sensitive = true
      for _ in 1...40 {
        #expect(try await daemons["beta"].call(.POST, APIPath.presentations, request.json).status == 422)
      }
      let left = try await database.psql(processed("beta")).first.flatMap { Int($0) } ?? .max
      #expect(left < 10, "\(left) of 40 refused inputs are left")
      #expect(try await daemons["beta"].ask("?").status == 202)
      // Another process of the same host reads none.
      await daemons["beta"].end(by: SIGTERM)
      try await daemons.start("beta")
      let old = "\(processed("beta")) AND process <> (SELECT process FROM router.hosts WHERE name = 'beta')"
      // What it sent last may have been processed after the new one had joined.
      let last = try await database.psql(old).first.flatMap { Int($0) } ?? .max
      #expect(last < 10)

      // A hostile host says of no reply that it has read it.
      try await database.psql("UPDATE router.hosts SET inputs_limit = 100 WHERE name = 'watcher'")
      for batch in 0..<8 {
        try await database.psql(
          """
          SELECT router.send(1, array_agg('main'::text), array_agg(n), array_agg(NULL::text), array_agg('x'::text))
            FROM generate_series(\(batch * 50 + 1), \(batch * 50 + 50)) AS n;
          SELECT pg_notify('router', 'imain')
          """, as: "watcher")
        try await database.wait(
          until: "0", is: "SELECT count(*) FROM router.inbox WHERE host = 'watcher' AND processed IS NULL")
      }
      let kept = try await database.psql(processed("watcher")).first.flatMap { Int($0) } ?? .max
      #expect(kept <= 150, "\(kept) of 400 inputs are left")
    }
  }

  @Test func `attaches few presenters with a row of many, which no prompt records`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let database = daemons.database
      // Otherwise it counts as gone, and its presenters are detached.
      try await database.hold("SELECT router.enter(1)", as: "watcher")
      let presenter =
        #"{"number":' || n || ',"by":{"uid":' || n || ',"gid":0,"pid":1,"presenter":"x"},"since":"2026-01-01T00:00:00.000Z"}"#
      let events = { (type: String) in "FROM router.events WHERE surface = 'main' AND type = '\(type)'" }
      for row in 1...3 {
        try await database.psql(
          """
          SELECT router.send(1, '{main}', '{\(row)}', '{NULL}', ARRAY['{"type":"presenters","presenters":['
            || string_agg('\(presenter)', ',') || ']}'])
            FROM generate_series(\(row * 40_000), \(row * 40_000 + 30_000)) AS n;
          SELECT pg_notify('router', 'imain')
          """, as: "watcher")
      }
      try await database.wait(
        until: "3", is: "SELECT count(*) FROM router.inbox WHERE host = 'watcher' AND processed IS NOT NULL")
      #expect(try await database.psql("SELECT count(*) > 0, count(*) <= 768 \(events("presenterAttached"))") == ["t|t"])
      try await expectService(daemons, beside: "a host with many presenters")
      #expect(try await database.psql("SELECT max(octet_length(detail)) < 16384 \(events("presented"))") == ["t"])
    }
  }

  // MARK: Notifications

  @Test func `is served no later when anybody notifies without an end`() async throws {
    try await SharedDaemons.run { daemons async throws in
      // The queue of notifications cannot be truncated beyond this listener.
      try await daemons.database.hold("LISTEN router", "BEGIN", "SELECT 1", as: "watcher")
      for payload in ["'imain'", "'emain'", "'lmain'", "'pmain'", "n || repeat('x', 7900)"] {
        try daemons.database.run(
          """
          DO $$ BEGIN
            FOR n IN 1..1000000 LOOP
              PERFORM pg_notify('router', \(payload)) FROM generate_series(1, 200) AS n;
              COMMIT;
            END LOOP;
          END $$
          """, as: "watcher")
      }
      try await daemons.database.wait(until: "t", is: "SELECT pg_notification_queue_usage() > 0.001")
      try await expectService(daemons, beside: "a flood of notifications")
      try await expectService(daemons, beside: "a flood of notifications", asking: "alpha", presenting: "beta")
    }
  }

  @Test func `serves without notifications`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let end = """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND usename IN ('alpha', 'beta') AND query ~ 'LISTEN|pg_notify'
        """
      #expect(try await daemons.database.psql(end) == ["2"])
      try await expectService(daemons, beside: "ended connections for notifications")
    }
  }
}
#endif
