import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl ssh-agent` with the real ssh-agent, ssh-add, ssh, sshd, ssh-keygen and git.
/// Promises P85, P96.
@Suite(.enabled(if: SSHAgentPlace.isPossible, "\(SSHAgentPlace.reason)"), .timeLimit(.minutes(10)))
struct SSHAgentTests {
  private func fingerprint(_ agent: SSHAgentPlace, _ key: String = "k.pub") async throws -> String {
    let lines = await (try agent.place.start("/usr/bin/ssh-keygen", "-l", "-f", agent.file(key))).allOutput()
    return try #require(lines.first?.split(separator: " ").dropFirst().first.map(String.init))
  }

  private func isMarked(_ shown: Presentation) -> Bool {
    shown.request.attachments.map(\.title) == ["CAUTION", "Asked by"] && shown.request.remember == nil
      && shown.request.buttons.first(where: \.isDefault)?.id == "deny"
  }

  @Test(.enabled(if: LoopbackSSHD.isPossible, "\(LoopbackSSHD.reason)"))
  func `names key, host and program of a log-in, and remembers the answer for them only`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      let sshd = try await LoopbackSSHD(agent)
      defer { sshd.process.signal(SIGKILL) }
      let denied = try sshd.ssh(command: "echo hello", agent: agent)
      let first = try await presenter.nextPresentation()
      #expect(first.request.title == "Use the key work@laptop for root@\(sshd.name)?")
      let (key, host) = (try await fingerprint(agent), try await fingerprint(agent, "host.pub"))
      #expect(
        first.request.message == "Key: \(key) (ssh-ed25519)\nHost: \(sshd.name), by known_hosts; its key is \(host)")
      let asker = try #require(first.request.attachments.first { $0.title == "Asked by" }).text
      #expect(asker.hasPrefix("ssh (\(denied.pid)) ← "))
      #expect(asker.contains("\n/usr/bin/ssh -F /dev/null -p \(sshd.port) "))
      #expect(first.request.app == "ssh" && first.request.attachments.count == 1 && first.request.priority == .high)
      let facts: OrderedDictionary = ["hostkey": host, "key": key, "program": "/usr/bin/ssh"]
      #expect(first.request.act == Act("ssh-sign", object: "root@\(sshd.name)", environment: facts))
      try await presenter.press(id: "deny", on: first)
      await denied.expectExit(255)

      let allowed = try sshd.ssh(command: "echo hello", agent: agent)
      try await presenter.press(id: "allow", on: try await presenter.nextPresentation(), remember: .session)
      #expect(await allowed.allOutput() == ["hello"])
      // The remembered answer applies, also with a host name that is hidden in known_hosts.
      let hide = try agent.place.start("/usr/bin/ssh-keygen", "-q", "-H", "-f", agent.file(".ssh/known_hosts"))
      await hide.expectExit()
      let again = try sshd.ssh(command: "echo again", agent: agent)
      #expect(await again.allOutput() == ["again"])
      // The same key for another program and purpose.
      let signing = try agent.sign()
      let other = try await presenter.nextPresentation()
      #expect(other.request.title == "Use the key work@laptop for a file signature?")
      try await presenter.press(id: "deny", on: other)
      await signing.expectExit(255)
      // Without the host in known_hosts, its fingerprint is another host.
      try agent.place.directory.write("", to: ".ssh/known_hosts")
      let unknown = try sshd.ssh(
        "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", command: "true", agent: agent)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Use the key work@laptop for root@\(host)?")
      try await presenter.dismiss(shown)
      await unknown.expectExit(255)
    }
  }

  @Test(.enabled(if: LoopbackSSHD.isPossible, "\(LoopbackSSHD.reason)"))
  func `marks requests of a forwarded agent, and does not remember them`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      let sshd = try await LoopbackSSHD(agent)
      defer { sshd.process.signal(SIGKILL) }
      let hop = (["/usr/bin/ssh"] + sshd.words([], "echo hopped")).map(\.shellQuoted).joined(separator: " ")
      let key = agent.file("k.pub")
      let script = "ssh-add -T \(key); echo text | ssh-keygen -Y sign -f \(key) -n file; \(hop)"
      let remote = try sshd.ssh("-A", command: script, agent: agent)
      try await presenter.press(id: "allow", on: try await presenter.nextPresentation(), remember: .session)
      let titles = [
        "Use the key work@laptop for data of an unknown form, forwarded?",
        "Use the key work@laptop for a file signature, forwarded?",
        "Use the key work@laptop for root@\(sshd.name), forwarded?",
      ]
      for title in titles {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title == title)
        #expect(isMarked(shown), "\(title)")
        #expect(shown.request.attachments.first?.text.contains("a program on \(sshd.name) asks") == true)
        #expect(shown.request.attachments.last?.text.hasPrefix("ssh (\(remote.pid)) ← ") == true)
        try await presenter.press(id: "allow", on: shown)
      }
      let output = await remote.allOutput()
      #expect(output.contains("-----BEGIN SSH SIGNATURE-----") && output.last == "hopped", "\(remote.printed)")
      await remote.expectExit()
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/git"), "needs git"))
  func `names the namespace of signatures of git and ssh-keygen`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      let repository = agent.file("repository")
      await (try agent.place.start("/usr/bin/git", "init", "-q", repository)).expectExit()
      let key = try String(contentsOfFile: agent.file("k.pub"), encoding: .utf8)
      try agent.place.directory.write("work@laptop \(key)", to: "signers")
      func git(_ words: [String]) throws -> ChildProcess {
        let settings = [
          "user.name=a", "user.email=work@laptop", "gpg.format=ssh", "user.signingKey=\(agent.file("k.pub"))",
          "gpg.ssh.allowedSignersFile=\(agent.file("signers"))",
        ]
        return try ChildProcess(
          "/usr/bin/git", ["-C", repository] + settings.flatMap { ["-c", $0] } + words, environment: agent.place.environment)
      }
      let commit = try git(["commit", "-q", "--allow-empty", "-S", "-m", "one"])
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Use the key work@laptop for a git signature?")
      #expect(shown.request.app == "ssh-keygen")
      #expect(shown.request.attachments.last?.text.contains(" ← git (\(commit.pid)) ← ") == true)
      try await presenter.press(id: "allow", on: shown, remember: .session)
      await commit.expectExit()
      await (try git(["verify-commit", "HEAD"])).expectExit()
      await (try git(["commit", "-q", "--allow-empty", "-S", "-m", "two"])).expectExit()
      // Another namespace.
      let file = try agent.sign()
      let other = try await presenter.nextPresentation()
      #expect(other.request.title == "Use the key work@laptop for a file signature?")
      try await presenter.press(id: "allow", on: other)
      #expect(await file.allOutput().first == "-----BEGIN SSH SIGNATURE-----")
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/python3"), "needs python3"))
  func `marks a request of a process that executes another program after it connected`() async throws {
    let script = """
      import os, socket, sys
      agent = socket.socket(socket.AF_UNIX)
      agent.connect(sys.argv[1])
      agent.sendall(bytes([0, 0, 0, 1, 11]))
      agent.recv(65536)
      if sys.argv[3] == "later":
        os.dup2(agent.fileno(), 9)
        os.execv("/bin/sh", ["sh", "-c", 'cat "$0" >&9; cat <&9', sys.argv[2]])
      agent.sendall(open(sys.argv[2], "rb").read())
      agent.recv(65536)
      """
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      let program = try agent.place.directory.write(script, to: "client.py")
      try Data(SSHAgentSample.signature).write(to: URL(filePath: agent.file("request")))
      for when in ["now", "later"] {
        let client = try ChildProcess("/usr/bin/python3", [program, agent.socket, agent.file("request"), when])
        let shown = try await presenter.nextPresentation()
        let environment = shown.request.act?.environment
        #expect(isMarked(shown) == (when == "later"), "\(when)")
        #expect((environment?["program"]?.contains("/python3") == true) == (when == "now"))
        #expect(environment?["script"] == (when == "now" ? program : nil))
        client.signal(SIGKILL)
        #expect(try await presenter.nextWithdrawal().id == shown.id)
      }
    }
  }

  @Test func `passes the requests of ssh-add that use no key without asking`() async throws {
    try await TestDaemon.run { daemon in
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      try await SSHAgentPlace.makeKey(agent.file("second"), agent.place)
      #expect(await (try agent.place.start("/usr/bin/ssh-add", "-l")).allOutput().count == 1)
      await (try agent.place.start("/usr/bin/ssh-add", "-q", agent.file("second"))).expectExit()
      #expect(await (try agent.place.start("/usr/bin/ssh-add", "-L")).allOutput().count == 2)
      await (try agent.place.start("/usr/bin/ssh-add", "-q", "-D")).expectExit()
      await (try agent.place.start("/usr/bin/ssh-add", "-l")).expectExit(1)
      #expect(try await daemon.client.log()["presentations"]?.array?.isEmpty == true)
    }
  }

  @Test func `denies without a daemon, a presenter or an answer`() async throws {
    try await TestDaemon.run { daemon in
      for environment in [["ROUTERD_SOCKET": "/nonexistent/s"], [:]] {
        let agent = try await SSHAgentPlace(daemon, environment: environment)
        defer { agent.end() }
        await (try agent.sign()).expectExit(255)
        #expect(await agent.agent.line(with: "ssh-agent: denied: ") != nil)
      }
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon, environment: ["ROUTER_TIMEOUT": "0.2"])
      defer { agent.end() }
      await (try agent.sign()).expectExit(255)
      withExtendedLifetime(presenter) {}
    }
  }

  @Test func `withdraws a prompt when its program ends, and all prompts when it is stopped`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = try await TestPresenter.attached(to: daemon)
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      let killed = try agent.sign()
      let first = try await presenter.nextPresentation()
      killed.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == first.id)
      // A client that closes its connection, and lives on.
      let client = try AgentClient(agent.socket)
      await client.send(SSHAgentSample.signing)
      let second = try await presenter.nextPresentation()
      #expect(second.request.title?.hasSuffix(" for data of an unknown form?") == true && isMarked(second))
      client.disconnect()
      #expect(try await presenter.nextWithdrawal().id == second.id)
      let stopped = [try agent.sign(), try agent.sign()]
      let third = try await presenter.nextPresentation()
      try await daemon.opened(2)
      agent.agent.signal(SIGTERM)
      #expect(try await presenter.nextWithdrawal().id == third.id)
      for program in stopped { await program.expectExit(255) }
      await agent.agent.expectExit(128 + SIGTERM)
    }
  }

  @Test func `goes on with other clients while the upstream agent does not reply, and disconnects in time`() async throws {
    let place = try await FrontEndPlace(try await TestDaemon.common)
    try SSHAgentPlace.makePrivate(place.directory.file("agent"))
    let (own, socket) = (place.directory.file("upstream"), place.directory.file("agent/s"))
    // Never replies to its first client.
    let upstream = try ScriptedAgent(own) { connection, _ in connection == 0 ? nil : SSHAgentSample.success }
    let agent = try await SSHAgentPlace.start(place, upstream: own, socket: socket, [:], "--upstream-timeout", "1s")
    defer { agent.signal(SIGKILL) }
    // Messages with private keys and garbage pass unchanged.
    let message = SSHAgentSample.frame(17, Array("ssh-ed25519 private \u{0}".utf8) + (0..<200).map { UInt8($0) })
    let stuck = try AgentClient(socket)
    await stuck.send(message)
    var frames = upstream.frames.makeAsyncIterator()
    #expect(await frames.next() == message)
    let other = try AgentClient(socket)
    await other.send(message + message)
    #expect(await other.frame() == SSHAgentSample.success)
    #expect(await other.frame() == SSHAgentSample.success)
    #expect(await frames.next() == message)
    #expect(await stuck.frame() == nil)
    #expect(await agent.line(with: "\(own) did not reply within 1.0s") != nil)
    await other.send(message)
    #expect(await other.frame() == SSHAgentSample.success)
    // A frame that is too long ends the connection.
    await other.send([0, 4, 0, 1, 11])
    #expect(await other.frame() == nil)
    // An agent that is gone.
    #expect(unlink(own) == 0)
    #expect(await (try AgentClient(socket)).frame() == nil)
    #expect(await agent.line(with: "cannot reach the agent at \(own)") != nil)
  }

  @Test func `disconnects clients of an agent that accepts no connection`() async throws {
    let place = try await FrontEndPlace(try await TestDaemon.common)
    try SSHAgentPlace.makePrivate(place.directory.file("agent"))
    let (own, socket) = (place.directory.file("upstream"), place.directory.file("agent/s"))
    let silent = try UnixSocket.listen(at: own)
    defer { close(silent) }
    let agent = try await SSHAgentPlace.start(place, upstream: own, socket: socket, [:], "--upstream-timeout", "1s")
    defer { agent.signal(SIGKILL) }
    // More than the listener's backlog.
    let clients = try (0..<20).map { _ in try AgentClient(socket) }
    for client in clients { await client.send(SSHAgentSample.frame(11)) }
    for client in clients { #expect(await client.frame() == nil) }
    #expect(await agent.line(with: "cannot reach the agent at \(own): Resource temporarily unavailable") != nil)
  }

  @Test func `replaces the socket of an ended agent, and refuses every other one`() async throws {
    try await TestDaemon.run { daemon in
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      var status = stat()
      #expect(stat(agent.socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
      func refusal(_ upstream: String, _ socket: String) async throws -> String? {
        let second = try ChildProcess(
          "routerctl", ["ssh-agent", "--upstream", upstream, "--listen", socket], environment: agent.place.environment)
        let line = await second.line(with: "routerctl: ")
        _ = await second.exitStatus()
        return line
      }
      let own = agent.file("upstream")
      #expect(try await refusal(own, agent.socket)?.contains("an agent already listens at \(agent.socket)") == true)
      #expect(try await refusal(own, own)?.contains("other users can access it") == true)
      #expect(try await refusal(agent.socket, agent.socket)?.contains("are the same socket") == true)
      try agent.place.directory.write("", to: "agent/file")
      #expect(try await refusal(own, agent.file("agent/file"))?.contains("a file that is not a socket is there") == true)
      agent.agent.signal(SIGKILL)
      _ = await agent.agent.exitStatus()
      // A link to its own socket.
      let link = agent.file("link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: agent.file("agent/other"))
      let loop = try await SSHAgentPlace.start(agent.place, upstream: link, socket: agent.file("agent/other"))
      defer { loop.signal(SIGKILL) }
      #expect(await (try AgentClient(agent.file("agent/other"))).frame() == nil)
      #expect(await loop.line(with: "\(link) is this agent itself") != nil)
      let next = try await SSHAgentPlace.start(agent.place, upstream: own, socket: agent.socket)
      defer { next.signal(SIGKILL) }
      await (try agent.place.start("/usr/bin/ssh-add", "-l")).expectExit()
    }
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"))
  func `refuses other users, and more connections than the limit`() async throws {
    try await TestDaemon.run { daemon in
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      for (path, mode) in [(agent.place.directory.path, 0o755), (agent.file("agent"), 0o755), (agent.socket, 0o666)] {
        #expect(chmod(path, mode_t(mode)) == 0)
      }
      let stranger = try ChildProcess(
        "/usr/bin/setpriv", OtherUser(uid: 60001).running(["/usr/bin/ssh-add", "-l"]), environment: agent.place.environment)
      // Writing to a closed connection ends ssh-add by SIGPIPE.
      let status = await stranger.exitStatus()
      #expect([1, 128 + SIGPIPE].contains(status))
      #expect(await agent.agent.line(with: "refused a connection of another user") != nil)
      let clients = try (0..<64).map { _ in try AgentClient(agent.socket) }
      for client in clients {
        await client.send(SSHAgentSample.frame(11))
        #expect(await client.frame() != nil)
      }
      #expect(await (try AgentClient(agent.socket)).frame() == nil)
      #expect(await agent.agent.line(with: "64 are open") != nil)
    }
  }

  @Test func `doctor proves the path of the keys, or names the fault`() async throws {
    try await TestDaemon.run { daemon in
      let agent = try await SSHAgentPlace(daemon)
      defer { agent.end() }
      func finding(_ environment: [String: String]) async throws -> String? {
        let environment = agent.place.environment.merging(environment) { $1 }
        return await (try ChildProcess("routerctl", ["doctor"], environment: environment)).allOutput().first {
          $0.contains(" ssh keys: ")
        }
      }
      #expect(try await finding([:]) == "ok       ssh keys: asked for through Router (1 key at \(agent.socket))")
      #expect(try await finding(["SSH_AUTH_SOCK": agent.file("upstream")]) == nil)
      // The default socket of the agent.
      let runtime = agent.file("agent")
      let used = ["XDG_RUNTIME_DIR": runtime, "SSH_AUTH_SOCK": runtime + "/router-ssh-agent.sock"]
      #expect(try await finding(used)?.hasPrefix("problem  ssh keys: no agent listens at ") == true)
      let second = try await SSHAgentPlace.start(
        agent.place, upstream: agent.file("upstream"), socket: runtime + "/router-ssh-agent.sock")
      defer { second.signal(SIGKILL) }
      let unused = try await finding(used.merging(["SSH_AUTH_SOCK": agent.file("upstream")]) { $1 })
      #expect(unused?.hasPrefix("problem  ssh keys: programs use \(agent.file("upstream")) instead of Router's agent") == true)
      agent.upstream.signal(SIGKILL)
      _ = await agent.upstream.exitStatus()
      #expect(try await finding(used)?.contains("cannot list keys. Fix: start your agent") == true)
    }
  }
}
