import Foundation
import Router
import RouterClient
import Testing

@testable import routerd

/// A name service that does not reply delays nobody: names are looked up on their own thread, and numbers are shown
/// meanwhile.
/// Promise P54.
@Suite(.timeLimit(.minutes(10)))
struct SlowNameServiceTests {
  private static let health = "GET /healthz HTTP/1.1\r\nHost: routerd\r\n\r\n"

  private func request(_ method: String, _ path: String, _ body: String = "", _ headers: String = "") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: routerd\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Expects a reply to another client while lookups wait. The loop has seen everything sent before the first of the two
  /// requests by the time it answers the second.
  private func expectServed(_ daemon: TestDaemon, _ names: SlowNames, during call: String) async throws {
    let other = try RawConnection(daemon.socket)
    for _ in 0..<2 {
      other.send(Self.health)
      #expect(await other.head().hasPrefix("HTTP/1.1 200 "))
    }
    #expect(names.lookups.filter { $0.hasPrefix("gave up") } == [], "\(call) made everyone wait")
  }

  @Test func `serves everyone on every route while the name service does not reply`() async throws {
    let routes = try await RoleTableTests.routes()
    let names = try SlowNames()
    let environment = names.environment.merging(["ROUTERD_WEB_ADDRESS": "127.0.0.1:0"]) { $1 }
    try await TestDaemon.run(environment: environment) { daemon in
      let stop = try names.stop()
      defer { stop.release() }
      var open: [RawConnection] = []
      for route in routes {
        let name = "\(route.method) \(route.path)"
        let asked = try await daemon.ask("?")
        let id = try #require(try asked.json["id"]?.string, "\(name): \(asked.status)")
        let path = route.path.replacing("{id}", with: id).replacing("{surface}", with: "main")
        // The link is for a user whom the daemon has to look up.
        let body =
          switch name {
          case "POST /v1/presentations": #"{"kind":"alert","title":"?"}"#
          case "POST /v1/web/link": #"{"for":"nobody"}"#
          default: "\(route.method)" == "GET" ? "" : "{}"
          }
        let client = try RawConnection(daemon.socket)
        client.send(request("\(route.method)", path, body, name == "POST /v1/presentations" ? "Prefer: respond-async\r\n" : ""))
        try await expectServed(daemon, names, during: name)
        // Only a link for somebody else needs the reply of the name service.
        if name == "POST /v1/web/link" {
          open.append(client)
        } else {
          #expect(await client.head().hasPrefix("HTTP/1.1 "), "\(name)")
          try await expectServed(daemon, names, during: name)
        }
        _ = try await daemon.call(.DELETE, APIPath.presentation(try #require(PresentationID(id))))
      }
      #expect(names.lookups.contains("getpwuid_r"), "no route looked up the requester's name")
      // A prompt shows the number meanwhile.
      let asked = try await daemon.ask("?")
      let prompt = APIPath.presentation(try #require(PresentationID(try asked.json["id"]?.string ?? ""))) + "/prompt"
      #expect(try await asker(daemon, prompt).hasPrefix("uid \(geteuid()), pid "))
      let link = try await daemon.client.webLink().url
      let page = try ChildProcess("/usr/bin/curl", ["-sSi", link])
      #expect(await page.allOutput().joined(separator: "\n").contains("Open Router as uid \(geteuid())?"))
      try await expectServed(daemon, names, during: "the page")
      daemon.process.signal(SIGHUP)
      try await expectServed(daemon, names, during: "a reload")
      stop.release()
      #expect(await open.first?.head().hasPrefix("HTTP/1.1 ") == true)
      // Then it has the name, if the user has one: it was looked up before that of the link.
      let user = ProcessIdentity.userName(of: geteuid()).map { "\($0) (uid \(geteuid())), pid " } ?? "uid \(geteuid()), pid "
      #expect(try await asker(daemon, prompt).hasPrefix(user))
    }
  }

  private func asker(_ daemon: TestDaemon, _ path: String) async throws -> String {
    let asker = try await daemon.call(.GET, path).json["prompt"]?["asker"]?.array
    return asker?.first?["text"]?.string ?? ""
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `looks up nobody for a link that only an administrator may create`() async throws {
    let names = try SlowNames()
    let environment = [
      "ROUTERD_WEB_ADDRESS": "127.0.0.1:0", "ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_PRESENT": "self,60012",
    ]
    try await TestDaemon.run(environment: names.environment.merging(environment) { $1 }) { daemon in
      let stop = try names.stop()
      defer { stop.release() }
      for name in ["nobody", "no-such-user", "60011"] {
        let reply = try await OtherUser(uid: 60012).call(daemon, "POST", "/v1/web/link", body: #"{"for":"\#(name)"}"#)
        #expect(reply.status == 403 && reply.body.contains("this needs the role admin"))
      }
      #expect(try await OtherUser(uid: 60012).call(daemon, "POST", "/v1/web/link", body: #"{"for":"60012"}"#).status == 200)
      // Only the caller's own name, once.
      #expect(names.lookups == ["getpwuid_r"])
    }
  }
}
