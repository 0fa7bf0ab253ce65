import Foundation
import Router
import RouterClient
import Testing

/// `POST /v1/web/link` for another user: who may create it, who gets in, as whom, and what is recorded.
/// Promise P67.
@Suite(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), .timeLimit(.minutes(10)))
struct PageLinkTests {
  private static let (requester, presenter, other) = (OtherUser(uid: 60011), OtherUser(uid: 60012), OtherUser(uid: 60013))
  private static let environment = [
    "ROUTERD_WEB_ADDRESS": "127.0.0.1:0", "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60011",
    "ROUTERD_ACCESS_PRESENT": "self,60012",
  ]

  /// Returns the reply to a user's browser.
  private func browse(_ user: OtherUser, _ url: String, _ more: String...) async throws -> String {
    let curl = try ChildProcess("/usr/bin/setpriv", user.running(["/usr/bin/curl", "-sSi", url] + more))
    return await curl.allOutput().joined(separator: "\n")
  }

  private func issued(_ daemon: TestDaemon) async throws -> [AuditEvent] {
    try await AuditReader(path: daemon.database).events(after: 0).filter { $0.kind == .pageLinkIssued }
  }

  @Test func `admits only the named user, as that user, and records the link first`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      let url = try await daemon.client.webLink(for: "60012").url
      let event = try #require(try await issued(daemon).first)
      #expect(event.detail["uid"] == 60012 && event.detail["by"]?["uid"] == .integer(Int(geteuid())))
      let origin = try #require(url.firstRange(of: "/open/")).lowerBound
      let click = ["-X", "POST", "-H", "Origin: \(url[..<origin])"]
      for user in [OtherUser(uid: geteuid()), Self.requester, Self.other] {
        #expect(try await browse(user, url).hasPrefix("HTTP/1.1 403"))
        #expect(try await browse(user, url, click[0], click[1], click[2], click[3]).hasPrefix("HTTP/1.1 403"))
      }
      #expect(try await browse(Self.presenter, url).contains("Open Router as uid 60012?"))
      let opened = try await browse(Self.presenter, url, click[0], click[1], click[2], click[3])
      #expect(opened.hasPrefix("HTTP/1.1 303"))
      let cookie = try #require(opened.firstMatch(of: /[Ss]et-[Cc]ookie: ([^;]+);/)?.output.1)
      // The link's creator may read the log; this user may not.
      for (path, status) in [("/v1/surfaces", "200"), ("/v1/log", "403")] {
        let reply = try await browse(Self.presenter, "\(url[..<origin])\(path)", "-H", "Cookie: \(cookie)")
        #expect(reply.hasPrefix("HTTP/1.1 \(status)"), "\(path): \(reply)")
      }
      let stolen = try await browse(Self.other, "\(url[..<origin])/v1/surfaces", "-H", "Cookie: \(cookie)")
      #expect(stolen.hasPrefix("HTTP/1.1 401"))
    }
  }

  @Test func `lets only administrators name another user, who must have a role for the page`() async throws {
    try await TestDaemon.run(environment: Self.environment) { daemon in
      func link(_ body: String?) async throws -> OtherUser.Reply {
        try await Self.presenter.call(daemon, "POST", "/v1/web/link", body: body)
      }
      let refused = try await link(#"{"for":"60011"}"#)
      #expect(refused.status == 403 && refused.body.contains("this needs the role admin"))
      #expect(try await link(#"{"for":"60012"}"#).status == 200)
      #expect(try await link("{}").status == 200)
      #expect(try await link(nil).status == 200)
      #expect(try await link(#"{"whose":"60012"}"#).status == 400)
      for (user, code) in [("60011", RouterError.Code.impossible), ("no-such-user", .invalid)] {
        let error = await #expect(throws: RouterError.self) { try await daemon.client.webLink(for: user) }
        #expect(error?.code == code)
      }
      #expect(try await issued(daemon).isEmpty)
      let command = try ChildProcess("routerctl", ["web", "--for", "60012", "--socket", daemon.socket])
      #expect(await command.allOutput().first?.hasPrefix("http://127.0.0.1:") == true)
      #expect(try await issued(daemon).count == 1)
      let denied = try await AuditReader(path: daemon.database).events(after: 0).filter { $0.kind == .accessDenied }
      #expect(denied.count == 1)
    }
  }
}
