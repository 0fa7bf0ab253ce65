#if PostgreSQL
import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

@testable import RouterLog

/// Hosts that may lead, and must not: they cannot follow the record, cannot write it, or have a wrong clock.
/// Promise P25.
@Suite(.timeLimit(.minutes(10)))
struct SharedLeadTests {
  private static let epoch = "SELECT epoch FROM router.surfaces WHERE name = 'main'"

  /// Waits until a host has looked at the leaders some times.
  private func letLook(_ host: String, times: Int = 10, _ database: SharedTestDatabase) async throws {
    var seen: Set<String> = []
    while seen.count < times {
      seen.formUnion(try await database.psql("SELECT seen FROM router.hosts WHERE name = '\(host)'"))
      try Task.checkCancellation()
    }
  }

  private func wait(for text: String, from daemon: TestDaemon) async throws {
    while !daemon.process.printed.contains(text) { try Task.checkCancellation() }
  }

  @Test(arguments: ["ahead of the record", "a copy of another record"])
  func `leaves the lead to others if its copy cannot follow`(copy: String) async throws {
    try await SharedDaemons.run(silence: 1) { daemons async throws in
      let database = daemons.database
      let kept = try await daemons["alpha"].client.detach(.alert("kept")).id
      for host in ["alpha", "beta"] { try await daemons.join("other", on: host) }
      #expect(try await daemons["alpha"].ask("other", surface: "other").status == 202)
      try await daemons.expectEqualCopies()
      try await daemons.expectEqualCopies(of: "other")
      for host in ["alpha", "beta"] { await daemons[host].end(by: SIGTERM) }
      if copy == "ahead of the record" {
        let last = "SELECT max(seq) FROM router.events WHERE surface = 'main'"
        try await database.psql("DELETE FROM router.events WHERE surface = 'main' AND seq = (\(last))")
      } else {
        for suffix in ["", "-wal", "-shm"] {
          let (main, other) = (daemons.copy(on: "beta") + suffix, daemons.copy(of: "other", on: "beta") + suffix)
          try? FileManager.default.removeItem(atPath: main)
          if FileManager.default.fileExists(atPath: other) { try FileManager.default.copyItem(atPath: other, toPath: main) }
        }
      }
      let epoch = try await database.psql(Self.epoch)
      try await daemons.start("beta")
      try await wait(for: "cannot follow", from: daemons["beta"])
      try await letLook("beta", database)
      #expect(try await database.psql(Self.epoch) == epoch, "it took the lead")
      #expect(try await daemons["beta"].ask("?").status == 503)
      // The surfaces that it can follow are served.
      while try await daemons["beta"].ask("?", surface: "other").status != 202 { try Task.checkCancellation() }

      try await daemons.start("gamma")
      while try await daemons["gamma"].ask("served").status != 202 { try Task.checkCancellation() }
      #expect(try await daemons.leader() == "gamma")
      #expect(try await daemons["gamma"].open().map(\.id).first == kept)
      try await letLook("beta", database)
      #expect(try await daemons.leader() == "gamma")
    }
  }

  @Test func `gives the lead back if it cannot record anything`() async throws {
    try await SharedDaemons.run { daemons async throws in
      let database = daemons.database
      #expect(try await daemons.leader() == "alpha")
      try await database.psql(
        """
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF session_user = 'alpha' THEN RAISE EXCEPTION 'not now'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON router.events FOR EACH ROW EXECUTE FUNCTION public.refuse()
        """)
      #expect(try await daemons["alpha"].ask("lost").status == 503)
      // The lease would last twenty seconds.
      #expect(try await daemons.leader(otherThan: "alpha") == "beta")
      let id = try await daemons["alpha"].client.detach(.alert("served")).id
      let presenter = TestPresenter(daemons["beta"].client)
      #expect(try await presenter.nextPresentation().id == id)
      let epoch = try await database.psql(Self.epoch)
      try await letLook("alpha", times: 3, database)
      #expect(try await database.psql(Self.epoch) == epoch)
    }
  }

  /// As from a leader of a newer version, which writes events that this one does not know.
  @Test func `a host that cannot read an event stops neither its other surfaces nor other hosts`() async throws {
    try await SharedDaemons.run(silence: 1) { daemons async throws in
      let database = daemons.database
      for host in ["alpha", "beta"] { try await daemons.join("other", on: host) }
      #expect(try await daemons["alpha"].ask("?", surface: "other").status == 202)
      _ = try await daemons["alpha"].client.detach(.alert("main"))
      try await daemons.expectEqualCopies()
      for host in ["alpha", "beta"] { await daemons[host].end(by: SIGTERM) }
      var head = try await AuditReader(path: daemons.copy(on: "beta")).head()
      let recorded = try await database.psql("SELECT max(seq) FROM router.events WHERE surface = 'main'").first
      #expect(recorded == "\(head.seq)")
      let at = "2026-01-01T00:00:00.000Z"
      head.append(at: at, type: "fromTheFuture", presentation: nil, detail: "{}".utf8)
      try await database.psql(
        """
        INSERT INTO router.events VALUES
          ('main', \(head.seq), '\(at)', 'fromTheFuture', NULL, '{}', decode('\(head.description.prefix(64))', 'hex'))
        """)
      let epoch = try await database.psql(Self.epoch)
      try await daemons.start("beta")
      try await wait(for: "cannot read its event \(head.seq) (fromTheFuture)", from: daemons["beta"])
      while try await daemons["beta"].ask("?", surface: "other").status != 202 { try Task.checkCancellation() }
      #expect(try await daemons["beta"].ask("?").status == 503)
      try await letLook("beta", database)
      #expect(try await database.psql(Self.epoch) == epoch, "it took the lead")
    }
  }

  @Test func `goes on after a reply that it cannot read`() async throws {
    // Nobody leads: watcher may not, and alpha has ended.
    try await SharedDaemons.run(["alpha", "watcher"], silence: 60) { daemons async throws in
      let (database, watcher) = (daemons.database, daemons["watcher"])
      await daemons["alpha"].end(by: SIGKILL)
      async let reply = watcher.ask("?")
      let input = "FROM router.inbox WHERE host = 'watcher' AND requested IS NOT NULL"
      try await database.wait(until: "1", is: "SELECT count(*) \(input)")
      try await database.psql(
        "UPDATE router.inbox SET processed = now(), reply = '{\"reply\":\"later\"}' WHERE id = (SELECT max(id) \(input))")
      #expect(try await reply.status == 422)
      try await daemons.start("alpha")
      #expect(try await watcher.ask("again").status == 202)
    }
  }

  // MARK: Clocks

  private static let clockLibrary = Result {
    try CompiledC.compile("Tests/EndToEndTests/Shared/WrongClock.c", to: "WrongClock.so", ["-shared", "-fPIC", "-ldl"])
  }

  @Test(arguments: [3600, -12 * 3600]) func `does not lead with a wrong clock`(seconds: Int) async throws {
    let directory = try TemporaryDirectory()
    let offset = directory.file("offset")
    let environment = ["LD_PRELOAD": try Self.clockLibrary.get(), "ROUTER_CLOCK_OFFSET": offset]
    try await SharedDaemons.run(["alpha"], silence: 1) { daemons async throws in
      let database = daemons.database
      var request = PresentationRequest.alert("for an hour")
      request.timeout = .seconds(3600)
      let id = try await daemons["alpha"].client.detach(request).id
      await daemons["alpha"].end(by: SIGTERM)
      let epoch = try await database.psql(Self.epoch)

      try "\(seconds)".write(toFile: offset, atomically: true, encoding: .utf8)
      let beta = try await TestDaemon.start(
        environment: daemons.environment(of: "beta").merging([
          "ROUTERD_SHARED_SURFACES": "main", "ROUTERD_SHARED_SILENCE_SECONDS": "1",
        ]) { $1 }.merging(environment) { $1 })
      defer { beta.remove() }
      try await wait(for: "cannot lead shared surfaces", from: beta)
      try await letLook("beta", database)
      #expect(try await database.psql(Self.epoch) == epoch, "it took the lead")

      // It leads once its clock is right, by the recorded times.
      try "0".write(toFile: offset, atomically: true, encoding: .utf8)
      #expect(try await daemons.leader(otherThan: "alpha") == "beta")
      while try await beta.open().map(\.id) != [id] { try Task.checkCancellation() }
      #expect(try await beta.ask("?").status == 202)

      // A leader whose clock jumps hands the lead over.
      try "\(seconds)".write(toFile: offset, atomically: true, encoding: .utf8)
      try await daemons.start("gamma")
      #expect(try await daemons.leader(otherThan: "beta") == "gamma")
      let presenter = TestPresenter(daemons["gamma"].client)
      #expect(try await presenter.nextPresentation().id == id)
    }
  }
}
#endif
