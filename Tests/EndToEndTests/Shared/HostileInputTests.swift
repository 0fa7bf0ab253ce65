#if PostgreSQL
import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// Inputs that an admitted host puts into the inbox without a daemon. The leader replies to each and goes on.
/// Promise P20.
@Suite(.timeLimit(.minutes(10)))
struct HostileInputTests {
  /// The reply of the leader to an input of beta, which names the presentation that it requests.
  private func reply(
    to input: String, requesting id: String? = nil, number: Int, _ daemons: SharedDaemons
  ) async throws -> JSONValue {
    let database = daemons.database
    let escaped = input.replacing("'", with: "''")
    try await database.psql(
      "SELECT router.send(1, '{main}', '{\(number)}', ARRAY[\(id.map { "'\($0)'" } ?? "NULL")]::text[], ARRAY['\(escaped)'])",
      as: "beta")
    // A notification would wake the leader of any host, too.
    try await database.psql("SELECT pg_notify('router', 'imain')", as: "beta")
    while true {
      let rows = try await database.psql(
        "SELECT reply FROM router.inbox WHERE host = 'beta' AND number = \(number) AND processed IS NOT NULL")
      if let row = rows.first { return try JSONValue(parsing: row) }
      #expect(!daemons["alpha"].process.hasEnded, "\(input): \(daemons["alpha"].process.printed)")
      if daemons["alpha"].process.hasEnded { return .null }
    }
  }

  private func request(id: String, _ members: String = "", app: String = "tests", surface: String = "main") -> String {
    """
    {"type":"request","id":"\(id)","isAdmin":false,"mayBeCritical":false,"attached":false,"hasCallback":false,
     "requester":{"app":"\(app)","uid":0,"gid":0,"pid":1,"host":"alpha"},
     "request":{"kind":"alert","title":"hostile","surface":"\(surface)"\(members)}}
    """
  }

  @Test func `refuses what a host may not send, and goes on`() async throws {
    try await SharedDaemons.run(["alpha"]) { daemons async throws in
      let alpha = daemons["alpha"]
      let presenter = TestPresenter(alpha.client)
      let ended = try await alpha.client.detach(.alert("ended")).id
      try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
      let open = try await alpha.client.detach(.alert("open")).id
      _ = try await presenter.nextPresentation()
      let unknown = "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"
      let at = #""at":"2026-01-01T00:00:00.000Z""#
      let by = #""by":{"uid":0,"gid":0,"pid":1,"presenter":"\u202e"}"#
      let inputs = [
        "", "{", "[]", "null", "{}", #"{"type":"nonsense"}"#, #"{"type":7}"#, String(repeating: "[", count: 10_000),
        #"{"type":"restarted""#, request(id: "x"), request(id: unknown, surface: "other"),
        request(id: unknown, surface: "../x"),
        request(id: unknown, app: #"\u202e"#),
        request(id: open.description), request(id: ended.description),
        #"{"type":"requesterGone","id":"\#(open)","reason":"requesterGone"}"#, #"{"type":"detach","id":"\#(open)"}"#,
        #"{"type":"claim","id":"\#(open)"}"#, #"{"type":"answer","id":"\#(open)","button":"yes",\#(by)}"#,
        #"{"type":"fail","id":"\#(open)","detail":"\u202e"}"#, #"{"type":"answer","id":"\#(ended)","button":"no"}"#,
        #"{"type":"presenterAttached","surface":"other","presenter":{"number":1,"by":{"uid":0,"gid":0,"pid":1},"since":"2026-01-01T00:00:00.000Z"}}"#,
        #"{"type":"presenterDetached","surface":"other","number":1}"#,
        #"{"type":"record","event":"answered","id":"\#(open)",\#(at),"detail":{"outcome":{"type":"dismissed"}}}"#,
        #"{"type":"record","event":"delivered","id":"\#(ended)",\#(at),"detail":{}}"#,
        #"{"type":"record","event":"callbackDelivered","id":"\#(ended)",\#(at),"detail":{"attempts":1}}"#,
        #"{"type":"record","event":"pruned",\#(at),"detail":{"through":1}}"#,
        #"{"type":"record","event":"delivered",\#(at),"detail":{}}"#,
        #"{"type":"record","event":"ran",\#(at),"detail":{"act":"ab","status":0,"by":{"uid":0,"gid":0,"pid":1}}}"#,
        #"{"type":"record","event":"ran","id":"\#(ended)",\#(at),"detail":{"act":"ab","status":0,\#(by)}}"#,
      ]
      for (number, input) in inputs.enumerated() {
        let id = [open.description, ended.description, unknown].first { input.hasPrefix(#"{"type":"request","id":"\#($0)""#) }
        #expect(try await reply(to: input, requesting: id, number: number, daemons)["reply"] == "notOpen", "\(input)")
      }
      // The name beside the input is not the one in it.
      for (number, (id, name)) in [(ended, unknown), (ended, nil), (nil, unknown)].enumerated() {
        let input = id.map { request(id: $0.description) } ?? #"{"type":"restarted"}"#
        #expect(try await reply(to: input, requesting: name, number: 500 + number, daemons)["reply"] == "notOpen")
      }
      let over = request(id: unknown, #","over":"\#(open)""#)
      #expect(try await reply(to: over, requesting: unknown, number: 1000, daemons)["reply"] == "refused")
      let ran = #""detail":{"act":"ab","status":0,"by":{"uid":0,"gid":0,"pid":1,"host":"alpha"}}"#
      for (number, id) in [ended, open].enumerated() {
        let input = #"{"type":"record","event":"ran","id":"\#(id)",\#(at),\#(ran)}"#
        #expect(try await reply(to: input, number: 1010 + number, daemons)["reply"] == "notOpen")
      }
      let sensitive = request(id: unknown, #","sensitive":true"#)
      #expect(try await reply(to: sensitive, requesting: unknown, number: 1003, daemons)["reply"] == "refused")
      // Its own request is welcome, and recorded with its host, whatever it says.
      #expect(try await reply(to: request(id: unknown), requesting: unknown, number: 1001, daemons)["reply"] == "accepted")
      let requester = try await AuditReader(path: daemons.copy(on: "alpha")).presentation(#require(PresentationID(unknown)))?
        .requester
      #expect(requester?.process.host == "beta")
      #expect(try await alpha.open().map(\.id.description) == [open.description, unknown])
      #expect(try await reply(to: #"{"type":"restarted"}"#, number: 1002, daemons)["reply"] == "accepted")
      #expect(try await alpha.open().count == 2)
      #expect(try await AuditReader(path: daemons.copy(on: "alpha")).presentation(ended)?.outcome == .answered(.button("yes")))
      try await daemons.expectEqualCopies(on: ["alpha"])
    }
  }

  @Test func `refuses an id that is used twice in one batch`() async throws {
    try await SharedDaemons.run(["alpha"]) { daemons async throws in
      let id = "01a1fdb6-ea24-7114-b4fd-98d4271e7c7c"
      // It ends at once, so that it is not open when the second one is decided.
      let input = request(id: id, #","noPresenter":"fail""#).replacing("'", with: "''")
      try await daemons.database.psql(
        """
        SELECT router.send(1, array_agg('main'::text), array_agg(n), array_agg('\(id)'::text), array_agg('\(input)'::text))
          FROM generate_series(1, 3) AS n;
        SELECT pg_notify('router', 'imain')
        """, as: "beta")
      try await daemons.database.wait(until: "0", is: "SELECT count(*) FROM router.inbox WHERE processed IS NULL")
      let replies = try await daemons.database.psql("SELECT reply FROM router.inbox WHERE host = 'beta' ORDER BY number")
      #expect(replies == [#"{"reply":"accepted"}"#, #"{"reply":"notOpen"}"#, #"{"reply":"notOpen"}"#])
      try await daemons.expectEqualCopies(on: ["alpha"])
    }
  }

  @Test func `takes no surface from the database whose name is a path`() async throws {
    try await PostgreSQLServer.common.withDatabase { database async throws in
      #expect(try await database.refusal(of: "SELECT router.add_surface('../x')", as: "watcher") == "23514")
      try await database.psql(
        """
        ALTER TABLE router.surfaces DROP CONSTRAINT surfaces_name;
        INSERT INTO router.surfaces (name) VALUES ('../x'), ('a/b'), ('good')
        """)
      let environment = [
        "ROUTERD_SHARED_SURFACES": "*", "ROUTERD_SHARED_HOST": "alpha", "ROUTERD_SHARED_DATABASE": database.url(of: "alpha"),
      ]
      let daemon = try await TestDaemon.start(environment: environment)
      defer { daemon.remove() }
      try await database.wait(until: "alpha", is: "SELECT leader FROM router.surfaces WHERE name = 'good'")
      #expect(try await daemon.call(.GET, "/v1/log?surface=..%2Fy").status == 200)
      #expect(try await database.psql("SELECT name FROM router.surfaces WHERE leader IS NOT NULL") == ["good"])
      let files = try FileManager.default.contentsOfDirectory(atPath: daemon.directory)
      #expect(!files.contains { $0.hasPrefix("x.db") || $0.hasPrefix("y.db") })
    }
  }
}
#endif
