import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// Identification of requesters and presenters by process ancestry, with real processes.
@Suite(.timeLimit(.minutes(10)))
struct AncestryTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Starts a shell script.
  private func script(_ name: String, _ text: String) throws -> ChildProcess {
    try ChildProcess("/bin/sh", [try directory.write(text + "\nexit $?\n", to: name)])
  }

  @Test func `names the script as the requester, not routerctl`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      let confirm = "\(routerctl) confirm 'Sure?' --socket \(daemon.socket)"
      let deploying = try script("deploy.sh", confirm)
      let shown = try await presenter.nextPresentation()
      let process = shown.requester.process
      #expect(shown.requester.app == "deploy.sh")
      #expect(process.ancestry?.prefix(2).map(\.name) == ["routerctl", "deploy.sh"])
      #expect(process.ancestry?.prefix(3).map(\.pid) == [process.pid, deploying.pid, getpid()])
      #expect(process.directory == FileManager.default.currentDirectoryPath)
      let prompt = try await daemon.client.prompt(of: shown.id)
      #expect(prompt.prompt.asker.contains { $0.label == "called by" && $0.text.hasPrefix("deploy.sh ← ") })
      try await presenter.press(id: "yes", on: shown)
      await deploying.expectExit()
      // Read back from the log.
      #expect(try await daemon.client.presentation(shown.id).requester == shown.requester)

      let named = try script("deploy.sh", confirm + " --app mine")
      let second = try await presenter.nextPresentation()
      #expect(second.requester.app == "mine")
      try await presenter.press(id: "yes", on: second)
      await named.expectExit()
    }
  }

  @Test func `refuses an agent's own answer and records the attempt`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let curl = "curl -sS --unix-socket \(daemon.socket)"
      let agent = try script(
        "agent.sh",
        """
        reply=$(\(curl) -H 'Prefer: respond-async' -d '{"kind":"alert","title":"Run?","agent":'$$'}' http://routerd/v1/presentations)
        id=$(printf %s "$reply" | jq -r .id)
        echo "$id"
        for end in answer fail; do
          [ $end = answer ] && body='{"button":"ok"}' || body='{}'
          sh -c "\(curl) -o /dev/null -w '%{http_code}\\n' -d '$body' http://routerd/v1/presentations/$id/$end; :"
        done
        """)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.agent == agent.pid)
      let lines = await agent.allOutput()
      #expect(lines == [shown.id.description, "403", "403"])
      await agent.expectExit()
      let denied = try await daemon.client.logEvents(of: shown.id).filter { $0.kind == .accessDenied }
      #expect(denied.map { $0.detail["reason"] } == Array(repeating: "requested by the caller's own agent", count: 2))
      #expect(try await presenter.press(id: "ok", on: shown).outcome == .answered(.button("ok")))
    }
  }

  @Test func `reads an ancestor again after it has executed another program or script`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      // Two programs of one name, which is all that the kernel's process name tells.
      let agents = try ["one", "two"].map { folder in
        let path = directory.file(folder) + "/agent"
        try directory.write("", to: folder + "/agent")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: "/bin/dash", toPath: path)
        return path
      }
      let curl = "curl -sS -o /dev/null -H 'Prefer: respond-async' --unix-socket '\(daemon.socket)'"
      func asking(_ title: String) -> String {
        curl + #" -d '{"kind":"alert","title":"\#(title)"}' http://routerd/v1/presentations"#
      }
      let last = try directory.write(asking("4") + "\nexit\n", to: "b.sh")
      let script = try directory.write("\(asking("3"))\nexec /bin/sh '\(last)'\n", to: "a.sh")
      let second = try directory.write("\(asking("2"))\nexec /bin/sh '\(script)'\n", to: "second")
      let first = try directory.write("\(asking("1"))\nexec '\(agents[1])' '\(second)'\n", to: "first")
      let process = try ChildProcess(agents[0], [first])
      var parents: [ProcessIdentity.Ancestor] = []
      for title in 1...4 {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title == "\(title)")
        parents.append(try #require(shown.requester.process.ancestry?.dropFirst().first))
        try await presenter.press(id: "ok", on: shown)
      }
      await process.expectExit()
      #expect(Set(parents.map(\.pid)) == [process.pid])
      #expect(parents.map(\.executable).prefix(2) == [agents[0], agents[1]])
      #expect(parents.map(\.script).suffix(2) == [script, last])
    }
  }

  @Test func `refuses an agent id outside the caller's ancestry`() async throws {
    try await TestDaemon.run { daemon in
      let body = JSONText(["kind": "alert", "title": "Run?", "agent": 1_073_741_824])
      let reply = try await daemon.http.reply(to: HTTPCall(.POST, "/v1/presentations", json: body))
      #expect(reply.status == 400)
      #expect(String(decoding: reply.body, as: UTF8.self).contains("/agent"))
    }
  }
}
