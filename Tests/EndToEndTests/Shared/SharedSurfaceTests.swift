#if PostgreSQL
import Foundation
@testable import Router
@testable import RouterLog
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Surfaces that two daemons share. `alpha` leads at first, and `beta` follows.
/// Promises P21, P30.
@Suite(.timeLimit(.minutes(10)))
struct SharedSurfaceTests {
  @Test(arguments: [("alpha", "beta"), ("beta", "alpha")])
  func `answers on one host what was asked on another, with the same record on both`(
    asking: String, presenting: String
  ) async throws {
    try await SharedDaemons.run { daemons async throws in
      let presenter = TestPresenter(daemons[presenting].client, name: "person")
      async let ended = daemons[asking].client.ask(.alert("Deploy?"))
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.process.host == asking)
      for host in [asking, presenting] {
        // The presenter can be ahead of the requester's copy.
        while try await daemons[host].open().map(\.id) != [shown.id] { try Task.checkCancellation() }
        #expect(try await daemons[host].call(.GET, "/v1/presentations/\(shown.id)").json["id"]?.string == "\(shown.id)")
        let surfaces = try await daemons[host].call(.GET, "/v1/surfaces").json["surfaces"]?.array
        #expect(surfaces?.map { $0["name"] } == ["main"])
      }
      try await presenter.press(id: "yes", on: shown)
      let outcome = try await ended
      #expect(outcome.outcome == .answered(.button("yes")))
      #expect(outcome.resolvedBy?.process.host == presenting)
      #expect(outcome.resolvedBy?.presenter == "person")
      try await daemons.expectEqualCopies()
      for host in [asking, presenting] {
        let page = try await daemons[host].call(.GET, "/v1/log?surface=main").json["presentations"]?.array
        #expect(page?.map { $0["id"] } == [.string("\(shown.id)")])
        #expect(try await daemons[host].call(.GET, "/v1/log/\(shown.id)").json["events"]?.array?.count ?? 0 >= 3)
        // This machine's own log has nothing of it.
        #expect(try await daemons[host].call(.GET, "/v1/log").json["presentations"]?.array == [])
      }
    }
  }

  @Test func `withdraws the prompt of a requester whose connection to a following daemon is lost`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let presenter = TestPresenter(daemons["alpha"].client)
      let curl = try ChildProcess(
        "/usr/bin/curl",
        [
          "-sS", "--unix-socket", daemons["beta"].socket, "http://routerd/v1/presentations", "-d",
          PresentationRequest.alert("?").jsonText.description,
        ])
      let shown = try await presenter.nextPresentation()
      curl.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal() == (shown.id, .cancelled))
      let recorded = try await AuditReader(path: daemons.copy(on: "alpha")).presentation(shown.id)
      #expect(recorded?.outcome == .cancelled(.requesterGone))
      try await daemons.expectEqualCopies()
    }
  }

  @Test func `ends the requests of a following daemon that is killed`() async throws {
    try await SharedDaemons.run(silence: 1) { daemons async throws in
      let presenter = TestPresenter(daemons["alpha"].client)
      let detached = try await daemons["beta"].client.detach(.alert("detached"))
      let attached = try await daemons["beta"].client.submit(.alert("attached")).accepted()
      await daemons["beta"].end(by: SIGKILL)
      let reader = try AuditReader(path: daemons.copy(on: "alpha"))
      while try await reader.presentation(attached.id)?.state != .resolved { try Task.checkCancellation() }
      #expect(try await reader.presentation(attached.id)?.outcome == .cancelled(.interrupted))
      #expect(try await presenter.nextPresentation().id == detached.id)
      #expect(try await daemons["alpha"].open().map(\.id) == [detached.id])
    }
  }

  @Test func `keeps idempotency keys and limits apart by host`() async throws {
    try await SharedDaemons.run(environment: ["ROUTERD_LIMITS_PER_USER": "1"]) { daemons async throws in
      func ask(on host: String, key: String?) async throws -> HTTPReply {
        var headers: HeaderFields = ["Prefer": "respond-async"]
        if let key { headers.add(name: "Idempotency-Key", value: key) }
        return try await daemons[host].call(.POST, APIPath.presentations, PresentationRequest.alert("?").json, headers: headers)
      }
      var ids: Set<JSONValue> = []
      for host in ["alpha", "beta"] {
        let first = try await ask(on: host, key: "k")
        #expect(first.status == 202)
        #expect(try await ask(on: host, key: "k").json["id"] == first.json["id"])
        ids.insert(try #require(try first.json["id"]))
        let second = try await ask(on: host, key: nil)
        #expect(second.status == 429)
      }
      #expect(ids.count == 2)
    }
  }

  @Test(arguments: ["alpha", "beta"])
  func `refuses sensitive requests`(host: String) async throws {
    try await SharedDaemons.run { daemons async throws in
      var request = PresentationRequest(kind: .sheet, sheet: "password")
      request.sensitive = true
      let reply = try await daemons[host].call(.POST, APIPath.presentations, request.json)
      #expect(reply.status == 422)
      #expect(try reply.problem.field == "/sensitive")
      #expect(try await AuditReader(path: daemons.copy(on: "alpha")).presentationPage(AuditQuery()).page.isEmpty)
    }
  }

  @Test func `serves local surfaces while the database is away, and shared ones once it is back`() async throws {
    let server = try await PostgreSQLServer()
    try await SharedDaemons.run(surfaces: "ops", surface: "ops", silence: 1, server: server) { daemons async throws in
      let before = try await daemons["beta"].ask("before", surface: "ops")
      #expect(before.status == 202)
      await server.kill()
      for host in ["alpha", "beta"] {
        let daemon = daemons[host]
        while try await daemon.call(.GET, "/v1/status").json["shared"]?.array?.first?["reachable"] != false {
          try Task.checkCancellation()
        }
        let reply = try await daemon.ask("away", surface: "ops")
        #expect(reply.status == 503)
        #expect(reply.headers.first(name: "Retry-After") != nil)
        #expect(try await daemon.ask("local").status == 202)
        let presenter = TestPresenter(daemon.client)
        try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      }
      try await server.restart()
      for host in ["alpha", "beta"] {
        while try await daemons[host].ask("after \(host)", surface: "ops").status != 202 { try Task.checkCancellation() }
      }
      let presenter = TestPresenter(daemons["alpha"].client, on: "ops")
      for title in ["before", "after alpha", "after beta"] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title == title)
        try await presenter.press(id: "yes", on: shown)
      }
      try await daemons.expectEqualCopies(of: "ops")
    }
  }

  /// Runs a body with a database that has a record of nine events older than 90 days, and newer ones.
  private func withOldRecord(_ body: (SharedTestDatabase) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    try await LogStory.write(to: directory.file("old.db"))
    let connection = try SQLiteConnection(path: directory.file("old.db"), mode: .readOnly)
    let rows = try connection.rows(
      """
      SELECT format('(''main'', %d, %Q, %Q, %Q, %Q, ''\\x%s'')', seq, at, type, presentation, detail, hex(hash)) FROM events
      """
    ) { $0.text(0) ?? "" }
    try await PostgreSQLServer.common.withDatabase { database async throws in
      try await database.psql("INSERT INTO router.surfaces (name) VALUES ('main')")
      try await database.psql("INSERT INTO router.events VALUES \(rows.joined(separator: ", "))")
      try await body(database)
    }
  }

  private func start(
    _ host: String, _ settings: [String: String] = [:], on database: SharedTestDatabase
  ) async throws -> TestDaemon {
    let shared = [
      "ROUTERD_SHARED_SURFACES": "main", "ROUTERD_SHARED_HOST": host, "ROUTERD_SHARED_DATABASE": database.url(of: host),
    ]
    return try await TestDaemon.start(environment: shared.merging(settings) { $1 })
  }

  @Test func `prunes the record, the inbox and all copies`() async throws {
    try await withOldRecord { database in
      let alpha = try await start("alpha", on: database)
      defer { alpha.remove() }
      try await database.wait(until: "alpha", is: "SELECT leader FROM router.surfaces")
      let beta = try await start("beta", on: database)
      defer { beta.remove() }
      try await database.psql(
        """
        INSERT INTO router.inbox (surface, host, process, number, input, processed) VALUES
          ('main', 'beta', 1, 1, '{}', '2000-01-01'), ('main', 'beta', 1, 2, '{}', now())
        """)
      let before = PresentationClock.system.wall().advanced(by: .seconds(-90 * 86_400))
      let refused = await #expect(throws: RouterError.self) {
        try await beta.client.pruneLog(before: before, surface: "main")
      }
      #expect(refused?.code == .impossible)
      #expect(try await alpha.client.pruneLog(before: before, surface: "main").events == 9)
      #expect(try await database.psql("SELECT min(seq) FROM router.events") == ["10"])
      #expect(try await database.psql("SELECT number FROM router.inbox WHERE process = 1") == ["2"])

      // A host that joins afterwards begins with what the pruning carried over.
      let gamma = try await start("gamma", on: database)
      defer { gamma.remove() }
      let open = try await alpha.open().map(\.id)
      for daemon in [alpha, beta, gamma] {
        let reader = { try AuditReader(path: daemon.database + ".shared/main.db") }
        while try await reader().events(after: 0, limit: 1).first?.seq != 10 { try Task.checkCancellation() }
        #expect(try await reader().verify().fault == nil)
        #expect(try await daemon.open().map(\.id) == open)
      }
    }
  }

  @Test func `says that a pruning is recorded but not finished, and finishes it later`() async throws {
    try await withOldRecord { database in
      let alpha = try await start("alpha", on: database)
      defer { alpha.remove() }
      try await database.wait(until: "alpha", is: "SELECT leader FROM router.surfaces")
      try await database.psql(
        """
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
        CREATE TRIGGER refuse BEFORE DELETE ON router.events FOR EACH ROW EXECUTE FUNCTION public.refuse()
        """)
      let before = PresentationClock.system.wall().advanced(by: .seconds(-90 * 86_400))
      let error = await #expect(throws: RouterError.self) { try await alpha.client.pruneLog(before: before, surface: "main") }
      #expect(error?.message.contains("recorded as pruned") == true, "\(error?.message ?? "")")
      #expect(try await database.psql("SELECT count(*) FROM router.events WHERE type = 'pruned'") == ["1"])
      try await database.psql("DROP TRIGGER refuse ON router.events")
      #expect(try await alpha.client.pruneLog(before: before, surface: "main").events == 0)
      #expect(try await database.psql("SELECT min(seq) FROM router.events") == ["10"])
    }
  }

  @Test(arguments: ["alpha", "beta"])
  func `refuses a request that is too large to be shared, and goes on`(asking: String) async throws {
    try await SharedDaemons.run(environment: ["ROUTERD_LIMITS_BODY_BYTES": "16777216"]) { daemons async throws in
      var request = PresentationRequest(kind: .sheet, sheet: "large")
      request.payload = .string(String(repeating: "x", count: 4 << 20))
      let reply = try await daemons[asking].call(
        .POST, APIPath.presentations, request.json, headers: ["Prefer": "respond-async"])
      // The leader's own inputs do not pass through the inbox.
      #expect(reply.status == (asking == "alpha" ? 202 : 422))
      // Encoding takes so long here that the database may count as away.
      while try await daemons[asking].ask("small").status == 503 { try Task.checkCancellation() }
      #expect(try await daemons[asking].ask("small").status == 202)
    }
  }

  @Test func `applies the retention to the record`() async throws {
    try await withOldRecord { database in
      let daemon = try await start("alpha", ["ROUTERD_RETENTION_DAYS": "90"], on: database)
      defer { daemon.remove() }
      try await database.wait(until: "10", is: "SELECT min(seq) FROM router.events")
      #expect(try await AuditReader(path: daemon.database + ".shared/main.db").verify().fault == nil)
    }
  }

  @Test func `refuses surfaces beyond the limit`() async throws {
    try await SharedDaemons.run(["alpha"], environment: ["ROUTERD_SHARED_LIMIT": "2"]) { daemons async throws in
      func refusal(on surface: String) async throws -> RouterError.Code? {
        var request = PresentationRequest.alert("?")
        request.surface = surface
        do {
          _ = try await daemons["alpha"].client.detach(request)
          return nil
        } catch let error as RouterError { return error.code }
      }
      #expect(try await refusal(on: "a") == nil)
      #expect(try await refusal(on: "b") == .full)
      for surface in ["a", "main"] { #expect(try await refusal(on: surface) == nil) }
      #expect(try await daemons.database.psql("SELECT name FROM router.surfaces ORDER BY name") == ["a", "main"])
    }
  }

  /// PostgreSQL sends the result of a statement before it commits, and a server that is stopped sends what it has.
  @Test func `acknowledges nothing that a stopped server did not commit`() async throws {
    let server = try await PostgreSQLServer()
    try await SharedDaemons.run(["alpha"], server: server) { daemons async throws in
      try await daemons.database.psql(
        """
        CREATE TABLE public.delay (); INSERT INTO public.delay DEFAULT VALUES; GRANT SELECT ON public.delay TO PUBLIC;
        CREATE FUNCTION public.delay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          WHILE EXISTS (SELECT FROM public.delay) LOOP PERFORM pg_catalog.pg_sleep(0.01); END LOOP;
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER delay AFTER INSERT ON router.events DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION public.delay()
        """)
      async let accepted = daemons["alpha"].client.detach(.alert("Deploy?"))
      try await daemons.database.wait(
        until: "t", is: "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'alpha' AND wait_event = 'PgSleep')")
      await server.kill()
      try await server.restart()
      try await daemons.database.psql("DELETE FROM public.delay")
      let id = try await accepted.id
      let recorded = "SELECT count(*) FROM router.events WHERE type = 'requested' AND presentation = '\(id)'"
      #expect(try await daemons.database.psql(recorded) == ["1"])
      try await daemons.expectEqualCopies(on: ["alpha"])
    }
  }

  @Test func `hands over at once when the leader is stopped`() async throws {
    // Only what the leader says can tell the other host, which would notice its silence after an hour.
    try await SharedDaemons.run(silence: 3600) { daemons async throws in
      let attached = try await daemons["alpha"].client.submit(.alert("attached")).accepted()
      let kept = try await daemons["beta"].client.detach(.alert("kept"))
      let presenter = TestPresenter(daemons["beta"].client)
      #expect(try await presenter.nextPresentation().id == attached.id)
      daemons["alpha"].process.signal(SIGTERM)
      await daemons["alpha"].process.expectExit()
      #expect(try await presenter.nextPresentation().id == kept.id)
      #expect(try await daemons.leader(otherThan: "alpha") == "beta")
      #expect(
        try await AuditReader(path: daemons.copy(on: "beta")).presentation(attached.id)?.outcome == .cancelled(.interrupted))
      try await daemons.start("alpha")
      #expect(try await daemons.leader() == "beta")
      try await daemons.expectEqualCopies()
    }
  }
}
#endif
