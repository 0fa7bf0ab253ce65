import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `git-credential-router` with git itself.
/// Promise P85.
@Suite(.enabled(if: FrontEndPlace.has("/usr/bin/git"), "needs git"), .timeLimit(.minutes(10)))
struct GitCredentialTests {
  private static let request = "protocol=https\nhost=git.example\nwwwauth[]=Basic realm=\"Forge\"\n\n"

  /// Runs `git credential OPERATION` with only this helper and no terminal.
  private func git(_ place: FrontEndPlace, _ operation: String, _ input: String, _ environment: [String: String] = [:]) throws
    -> ChildProcess
  {
    try place.start(
      "/usr/bin/git", "-c", "credential.helper=", "-c", "credential.helper=router", "credential", operation, input: input,
      environment: ["GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "/bin/false"].merging(environment) { $1 })
  }

  @Test func `asks for user and password in one form`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      let filling = try git(place, "fill", Self.request)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.heading == "Sign in to https://git.example")
      #expect(shown.request.schema?.properties.map(\.name) == ["username", "password"])
      #expect(shown.request.sensitive)
      #expect(shown.requester.app == "git")
      try await presenter.answer(["username": "ada", "password": "pä=ss word"], on: shown)
      let output = await filling.allOutput()
      #expect(output.contains("username=ada") && output.contains("password=pä=ss word"))
      await filling.expectExit()

      // A known user name is not asked for.
      let knowing = try git(place, "fill", "protocol=https\nhost=git.example\nusername=ada\n\n")
      let form = try await presenter.nextPresentation()
      #expect(form.request.schema?.properties.map(\.name) == ["password"])
      #expect(form.request.message == "User: ada")
      try await presenter.type("x", in: "password", of: form)
      #expect(await knowing.allOutput().contains("password=x"))
    }
  }

  @Test func `mentions a refused password until one is accepted`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      let credential = "protocol=https\nhost=git.example\nusername=ada\npassword=wrong\n\n"
      for (operation, isRefused) in [("reject", true), ("approve", false)] {
        await (try git(place, operation, credential)).expectExit()
        let filling = try git(place, "fill", "protocol=https\nhost=git.example\n\n")
        let shown = try await presenter.nextPresentation()
        #expect((shown.request.message == "The server refused the last password.") == isRefused)
        try await presenter.answer(["username": "ada", "password": "x"], on: shown)
        await filling.expectExit()
      }
    }
  }

  @Test func `stops git on a refusal, but not on a timeout`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      // The next credential source would succeed.
      let next = ["GIT_ASKPASS": "/bin/echo"]
      let refused = try git(place, "fill", Self.request, next)
      try await presenter.dismiss(try await presenter.nextPresentation())
      await refused.expectExit(128)

      let expired = try git(place, "fill", Self.request, next.merging(["ROUTER_TIMEOUT": "0.2"]) { $1 })
      #expect(await expired.allOutput().contains { $0.hasPrefix("password=Password for ") })
      await expired.expectExit()
    }
  }

  @Test func `falls back to git's own prompt without a presenter or daemon`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      // The last one is queued behind a question that waits for a presenter.
      for environment in [[:], ["ROUTERD_SOCKET": "/nonexistent/s"], ["LC_ALL": "C"]] {
        if environment.keys.contains("LC_ALL") { _ = try await daemon.client.detach(.alert("Waiting")) }
        let next = ["GIT_ASKPASS": "/bin/echo"].merging(environment) { $1 }
        let filling = try git(place, "fill", Self.request, next)
        #expect(await filling.allOutput().contains { $0.hasPrefix("password=Password for ") })
        await filling.expectExit()
      }
    }
  }

  @Test func `withdraws the form when git ends, and answers concurrent requests separately`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      let killed = try git(place, "fill", Self.request)
      let first = try await presenter.nextPresentation()
      killed.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == first.id)

      let hosts = ["one.example", "two.example"]
      let fillings = try hosts.map { try git(place, "fill", "protocol=https\nhost=\($0)\n\n") }
      for _ in hosts {
        let shown = try await presenter.nextPresentation()
        let host = try #require(shown.request.heading.split(separator: "/").last.map(String.init))
        try await presenter.answer(["username": "ada", "password": .string("of " + host)], on: shown)
      }
      for (host, filling) in zip(hosts, fillings) { #expect(await filling.allOutput().contains("password=of \(host)")) }
    }
  }

  @Test func `escapes hostile server text, and refuses line breaks in an answer`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      let hostile = "protocol=https\nhost=h\u{202E}\nwwwauth[]=Basic realm=\"\u{1B}[2J\"\nunknown=x\ncapability[]=authtype\n\n"
      let filling = try place.start("git-credential-router", "get", input: hostile)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.heading == "Sign in to https://h\\u{202E}")
      #expect(shown.request.message == "Realm: \\u{1B}[2J")
      try await presenter.answer(["username": "ada", "password": "x\nquit=1"], on: shown)
      #expect(await filling.allOutput() == [])
      await filling.expectExit()
      for operation in ["capability", ""] {
        let ignored = try place.start("git-credential-router", operation, input: hostile)
        #expect(await ignored.allOutput() == [])
        await ignored.expectExit()
      }
    }
  }

  @Test(arguments: ["protocol=https\n\n", "host=h\n\n", "\n", "username=ada\n", "=\nhost=h\n"])
  func `asks for nothing without the protocol and host that git names`(input: String) async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      _ = try await TestPresenter.attached(to: daemon)
      let helper = try place.start("git-credential-router", "get", input: input)
      #expect(await helper.line(with: "cannot ask: the credential has no ") != nil)
      #expect(await helper.allOutput() == [])
      await helper.expectExit()
    }
  }

  /// A static file server with basic authentication, for git's dumb HTTP protocol.
  private static let server = """
    import base64, functools, http.server, sys
    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            if self.headers.get("Authorization") == "Basic " + base64.b64encode(sys.argv[2].encode()).decode():
                return super().do_GET()
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="Forge"')
            self.send_header("Content-Length", "0")
            self.end_headers()
        def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/python3"), "needs python3"))
  func `clones with a typed password, and leaks it nowhere`() async throws {
    let secret = "pass-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { daemon in
      everything.gather("standard error", daemon.process.errors)
      let place = try await FrontEndPlace(daemon)
      let presenter = try await TestPresenter.attached(to: daemon)
      let make = """
        set -e
        cd '\(place.directory.path)'
        git init -q -b main work && cd work
        git -c user.name=a -c user.email=a@example commit -q --allow-empty -m first
        git clone -q --bare . ../served/r.git && cd ../served/r.git && git update-server-info
        """
      await (try place.start("sh", "-c", make)).expectExit()
      let server = try ChildProcess("/usr/bin/python3", ["-c", Self.server, place.directory.file("served"), "ada:" + secret])
      defer { server.signal(SIGKILL) }
      var lines = server.output.makeAsyncIterator()
      let port = try #require(await lines.next())
      func clone(_ name: String) throws -> ChildProcess {
        try place.start(
          "/usr/bin/git", "-c", "credential.helper=", "-c", "credential.helper=router", "clone", "-q",
          "http://127.0.0.1:\(port)/r.git", place.directory.file(name), environment: ["GIT_TERMINAL_PROMPT": "0"])
      }
      let wrong = try clone("wrong")
      try await presenter.answer(["username": "ada", "password": "x"], on: try await presenter.nextPresentation())
      await wrong.expectExit(128)
      let cloning = try clone("copy")
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.heading == "Sign in to http://127.0.0.1:\(port)")
      #expect(shown.request.message?.hasSuffix("The server refused the last password.") == true)
      #expect(shown.requester.process.ancestry?.map(\.name).contains("git") == true)
      try await presenter.answer(["username": "ada", "password": .string(secret)], on: shown)
      await cloning.expectExit()
      #expect(FileManager.default.fileExists(atPath: place.directory.file("copy/.git/HEAD")))
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: secret).places.isEmpty)
    #expect(await everything.places(of: "Sign in to").places.contains("log.db-wal"))
  }
}
