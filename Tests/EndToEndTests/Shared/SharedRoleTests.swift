#if PostgreSQL
import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// What the database refuses to hosts that it admits. `watcher` may not lead; the others may.
/// Promise P20.
@Suite(.timeLimit(.minutes(10)))
struct SharedRoleTests {
  /// PostgreSQL's codes (appendix A), and those of shared.sql.
  private enum Code {
    static let notPermitted = "42501"
    static let raised = "P0001"
    static let notLeader = "RT001"
    static let doesNotContinue = "RT002"
  }

  private static func append(epoch: Int, first: Int, previous: String = #"'\x00'"#) -> String {
    """
    SELECT router.append('main', \(epoch), \(previous), \(first), ARRAY['2026-01-01T00:00:00.000Z'],
      ARRAY['daemonStarted'], ARRAY[NULL]::text[], ARRAY['{}'], ARRAY['\\x01'::bytea], '{}', '{}')
    """
  }

  private static let send = "SELECT router.send(1, '{main}', '{1}', '{NULL}', '{\"{}\"}')"

  /// Runs a body with a database where alpha leads, in epoch 1, and has recorded one event and got one input.
  private func withRecord(_ body: (SharedTestDatabase) async throws -> Void) async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      try await database.psql("SELECT router.add_surface('main')", as: "watcher")
      try await database.psql("SELECT router.lead('main', 0, '1 hour')", as: "alpha")
      try await database.psql("UPDATE router.surfaces SET expires = 'infinity'")
      // Without its lock, a host counts as gone.
      try await database.psql(
        "CREATE OR REPLACE FUNCTION router.is_gone(host text) RETURNS boolean LANGUAGE sql AS 'SELECT false'")
      try await database.psql(Self.append(epoch: 1, first: 1), as: "alpha")
      try await database.psql(Self.send, as: "alpha")
      try await body(database)
    }
  }

  @Test(arguments: ["beta", "watcher"])
  func `refuses to act for another host`(role: String) async throws {
    try await withRecord { database async throws in
      try await database.psql("\(Self.send); SELECT router.beat(), router.enter(7)", as: role)
      #expect(try await database.psql("SELECT host FROM router.inbox ORDER BY id") == ["alpha", role])
      #expect(try await database.psql("SELECT name FROM router.hosts WHERE process = 7 OR seen IS NOT NULL") == [role])
      // Another host cannot take the place of alpha's progress.
      let progress = "SELECT router.report('p', 'main', 1, NULL)"
      try await database.psql(progress, as: "alpha")
      try await database.psql("\(progress); SELECT router.report('p', 'main', NULL, NULL)", as: role)
      #expect(try await database.psql("SELECT host FROM router.progress") == ["alpha"])
      #expect(
        try await database.psql("SELECT count(*) FROM router.replies_after('{main}', 'alpha', 1, '{0}')", as: "watcher") == [
          "0"
        ])
      for sql in [
        "UPDATE router.hosts SET name = 'alpha' WHERE name = '\(role)'", "UPDATE router.hosts SET role = '\(role)'",
        "UPDATE router.hosts SET session = 7 WHERE name = '\(role)'", "DELETE FROM router.progress",
        "INSERT INTO router.inbox (surface, host, process, number, input) VALUES ('main', '\(role)', 1, 2, '{}')",
        "INSERT INTO router.hosts (name, role) VALUES ('other', '\(role)')", "DELETE FROM router.hosts",
        "SELECT router.add_host('other', may_lead => true)", "SET ROLE alpha", "SET SESSION AUTHORIZATION alpha",
      ] {
        #expect(try await database.refusal(of: sql, as: role) == Code.notPermitted, "\(sql)")
      }
    }
  }

  @Test(arguments: ["beta", "watcher"])
  func `refuses to change or delete events, also directly`(role: String) async throws {
    try await withRecord { database async throws in
      for sql in [
        "UPDATE router.events SET detail = 'x'", "DELETE FROM router.events", "TRUNCATE router.events",
        "DELETE FROM router.inbox", "DELETE FROM router.surfaces", "DROP TABLE router.events",
        "ALTER TABLE router.hosts DISABLE ROW LEVEL SECURITY", "CREATE TABLE router.other ()",
        "GRANT router_leader TO watcher",
      ] {
        #expect(try await database.refusal(of: sql, as: role) == Code.notPermitted, "\(sql)")
      }
      #expect(try await database.psql("SELECT count(*) FROM router.events WHERE detail = '{}'") == ["1"])
    }
  }

  @Test func `refuses everything of a leader to a host that may not lead`() async throws {
    try await withRecord { database async throws in
      for sql in [
        "INSERT INTO router.events VALUES ('main', 2, '', 'x', NULL, '{}', '')", "SELECT router.renew('{main}', '1 hour')",
        "SELECT * FROM router.inputs('{main}', '{}', 1)", Self.append(epoch: 1, first: 2),
        "SELECT router.lead('main', 1, '1 hour')", "SELECT router.remove('main', 1, 1)",
        "UPDATE router.surfaces SET leader = 'watcher'", "UPDATE router.surfaces SET expires = '-infinity'",
        "INSERT INTO router.surfaces (name, leader) VALUES ('other', 'watcher')",
        "UPDATE router.inbox SET processed = now(), reply = '{}'",
      ] {
        #expect(try await database.refusal(of: sql, as: "watcher") == Code.notPermitted, "\(sql)")
      }
      try await database.psql(Self.send, as: "watcher")
      #expect(try await database.psql("SELECT host FROM router.inbox", as: "watcher") == ["watcher"])
      #expect(try await database.psql("SELECT count(*) FROM router.inbox", as: "beta") == ["2"])
    }
  }

  @Test func `takes events from the leader of this epoch only, and only those that continue the record`() async throws {
    try await withRecord { database async throws in
      func refusal(_ sql: String, _ role: String) async throws -> String? { try await database.refusal(of: sql, as: role) }
      #expect(try await refusal(Self.append(epoch: 1, first: 2, previous: #"'\x01'"#), "beta") == Code.notLeader)
      #expect(try await refusal(Self.append(epoch: 0, first: 2, previous: #"'\x01'"#), "alpha") == Code.notLeader)
      for (first, previous) in [(2, #"'\x02'"#), (1, #"'\x00'"#), (3, #"'\x01'"#)] {
        #expect(
          try await refusal(Self.append(epoch: 1, first: first, previous: previous), "alpha") == Code.doesNotContinue)
      }
      #expect(try await refusal(Self.append(epoch: 1, first: 2, previous: #"'\x01'"#), "alpha") == nil)
      #expect(try await refusal("SELECT router.remove('main', 1, 1)", "alpha") == Code.raised)
      #expect(try await refusal("SELECT router.remove('main', 1, 1)", "beta") == Code.notLeader)
      #expect(try await database.psql("SELECT count(*) FROM router.events") == ["2"])
    }
  }

  @Test func `keeps a live leader, and lets hosts take the lead only for themselves`() async throws {
    try await withRecord { database async throws in
      #expect(try await database.psql("SELECT router.lead('main', 1, '1 hour') IS NULL", as: "beta") == ["t"])
      let other = "UPDATE router.surfaces SET leader = 'gamma'"
      #expect(try await database.refusal(of: other, as: "beta") == Code.notPermitted)
      #expect(try await database.leader() == "alpha")
      try await database.psql("UPDATE router.surfaces SET expires = '-infinity'")
      #expect(try await database.psql("SELECT router.lead('main', 0, '1 hour') IS NULL", as: "beta") == ["t"])
      #expect(try await database.psql("SELECT router.lead('main', 1, '1 hour')", as: "beta") == ["2"])
      #expect(try await database.refusal(of: Self.append(epoch: 1, first: 2), as: "alpha") == Code.notLeader)
    }
  }

  @Test func `does not take the lock of another role for a sign of life`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      let isGone = "SELECT router.is_gone('alpha')"
      #expect(try await database.psql(isGone, as: "watcher") == ["t"])
      #expect(try await database.psql("SELECT router.enter(1); \(isGone)", as: "alpha").last == "f")
      #expect(try await database.psql(isGone, as: "watcher") == ["t"])
      let lock = "SELECT pg_advisory_lock(session) FROM router.hosts WHERE name = 'alpha'"
      #expect(try await database.psql("\(lock); \(isGone)").last == "t")
    }
  }

  // MARK: Daemons

  /// Expects that a daemon does not take part in the surface `ops`, but serves this machine's.
  private func expectRefused(
    as host: String, role: String, because reason: String, in daemons: SharedDaemons
  ) async throws {
    let environment = ["ROUTERD_SHARED_SURFACES": "ops", "ROUTERD_SHARED_HOST": host]
      .merging(["ROUTERD_SHARED_DATABASE": daemons.database.url(of: role)]) { $1 }
    let daemon = try await TestDaemon.start(environment: environment)
    defer { daemon.remove() }
    let reply = try await daemon.ask("?", surface: "ops")
    #expect(reply.status == 503)
    #expect(reply.headers.first(name: "Retry-After") != nil)
    #expect(try await daemon.ask("?").status == 202)
    while !daemon.process.printed.contains(reason) { try Task.checkCancellation() }
    #expect(try await daemons.database.psql("SELECT count(*) FROM router.inbox WHERE host = 'gamma'") == ["0"])
  }

  @Test func `does not join with the role of another host`() async throws {
    try await SharedDaemons.run(["alpha"], surfaces: "ops", surface: "ops") { daemons async throws in
      try await expectRefused(
        as: "gamma", role: "beta", because: "cannot join as gamma: the database knows its role as beta", in: daemons)
    }
  }

  @Test func `does not join with the name of a host that has joined`() async throws {
    try await SharedDaemons.run(["alpha"], surfaces: "ops", surface: "ops") { daemons async throws in
      try await expectRefused(
        as: "alpha", role: "alpha", because: "cannot join as alpha: another daemon has joined with this name", in: daemons)
      #expect(try await daemons.leader(of: "ops") == "alpha")
      #expect(try await daemons["alpha"].ask("?", surface: "ops").status == 202)
    }
  }
}
#endif
