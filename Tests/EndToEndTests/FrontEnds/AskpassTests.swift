import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `router-askpass` with ssh and sudo.
/// Promises P85, P86.
@Suite(.timeLimit(.minutes(10)))
struct AskpassTests {
  /// Starts an ssh-agent with one key that needs confirmation for each use.
  private func agent(_ place: inout FrontEndPlace, timeout: String = "60") async throws -> ChildProcess {
    let key = place.directory.file("k")
    await (try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)).expectExit()
    let socket = place.directory.file("agent")
    place.environment["SSH_AUTH_SOCK"] = socket
    place.environment["ROUTER_TIMEOUT"] = timeout
    let agent = try place.start("/usr/bin/ssh-agent", "-D", "-a", socket)
    for await line in agent.output where line.contains("SSH_AGENT_PID") || line.contains("agent") { break }
    await (try place.start("/usr/bin/ssh-add", "-c", key)).expectExit()
    return agent
  }

  private func sign(_ place: FrontEndPlace) throws -> ChildProcess {
    try place.start("/usr/bin/ssh-keygen", "-Y", "sign", "-f", place.directory.file("k.pub"), "-n", "test", input: "text")
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/ssh-agent"), "needs openssh-client"))
  func `asks before ssh-agent uses a key`() async throws {
    try await TestDaemon.run { daemon in
      var place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let agent = try await agent(&place)
      defer { agent.signal(SIGKILL) }
      for (button, isSigned) in [("allow", true), ("deny", false)] {
        let signing = try sign(place)
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.title?.hasPrefix("Allow use of key ") == true)
        #expect(shown.request.message?.hasPrefix("Key fingerprint SHA256:") == true)
        #expect(shown.request.priority == .high)
        #expect(shown.requester.app == "ssh-agent")
        try await presenter.press(id: button, on: shown)
        let output = await signing.allOutput()
        #expect(output.contains("-----BEGIN SSH SIGNATURE-----") == isSigned, "\(signing.printed)")
        await signing.expectExit(isSigned ? 0 : 255)
      }
      // The agent ends while it asks.
      let signing = try sign(place)
      let shown = try await presenter.nextPresentation()
      agent.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      await signing.expectExit(255)
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/ssh-agent"), "needs openssh-client"))
  func `refuses the key when nobody answers in time`() async throws {
    try await TestDaemon.run { daemon in
      var place = try await FrontEndPlace(daemon)
      let agent = try await agent(&place, timeout: "0.2")
      defer { agent.signal(SIGKILL) }
      await (try sign(place)).expectExit(255)
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/ssh-keygen"), "needs openssh-client"))
  func `fails ssh-keygen without a daemon, and withdraws the prompt when ssh-keygen is killed`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let key = place.directory.file("k")
      await (try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key)).expectExit()
      let unreachable = try place.start(
        "/usr/bin/ssh-keygen", "-y", "-f", key, environment: ["ROUTERD_SOCKET": "/nonexistent/s"])
      await unreachable.expectExit(255)

      let reading = try place.start("/usr/bin/ssh-keygen", "-y", "-f", key)
      let shown = try await presenter.nextPresentation()
      reading.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/ssh-keygen"), "needs openssh-client"))
  func `asks for ssh passphrases concurrently, and leaks none`() async throws {
    let secret = "pass-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { daemon in
      everything.gather("standard error", daemon.process.errors)
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let key = place.directory.file("k")
      await (try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", secret, "-f", key)).expectExit()
      // Each prints the public key, which requires the passphrase.
      let readers = try (0..<2).map { _ in try place.start("/usr/bin/ssh-keygen", "-y", "-f", key) }
      for _ in readers {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.heading.hasPrefix("Enter passphrase"))
        #expect(shown.request.sensitive && shown.request.schema?.properties.first?.isSecret == true)
        #expect(shown.requester.app == "ssh-keygen")
        try await presenter.type(secret, of: shown)
      }
      for reader in readers {
        #expect(await reader.allOutput().first?.hasPrefix("ssh-ed25519 ") == true)
        await reader.expectExit()
      }
      let wrong = try place.start("/usr/bin/ssh-keygen", "-y", "-f", key)
      try await presenter.dismiss(try await presenter.nextPresentation())
      await wrong.expectExit(255)
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: secret).places.isEmpty)
    #expect(await everything.places(of: "Enter passphrase").places.contains("log.db-wal"))
  }

  @Test(
    arguments: [
      (["answer": "yes"], "yes"), (["answer": "no", "fingerprint": "SHA256:x"], "SHA256:x"),
      (["answer": "no", "fingerprint": ""], "no"),
    ] as [(JSONValue, String)])
  func `answers a host key question with yes, no or the fingerprint`(answer: JSONValue, line: String) async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let text = """
        The authenticity of host 'h (::1)' can't be established.
        ED25519 key fingerprint is SHA256:y.
        Are you sure you want to continue connecting (yes/no/[fingerprint])?
        """
      let askpass = try place.start("router-askpass", text + " ")
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.heading == "The authenticity of host 'h (::1)' can't be established.")
      try await presenter.answer(answer, on: shown)
      #expect(await askpass.allOutput() == [line])
      await askpass.expectExit()
    }
  }

  @Test func `withdraws a notice when ssh ends it`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let notice = try place.start(
        "router-askpass", "Confirm user presence for key ED25519-SK", environment: ["SSH_ASKPASS_PROMPT": "none"])
      let shown = try await presenter.nextPresentation()
      notice.signal(SIGTERM)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      await notice.expectExit(128 + SIGTERM)
      #expect(await notice.allOutput() == [])
    }
  }

  @Test func `escapes hostile text, and refuses an answer that is too long`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let askpass = try place.start("router-askpass", "\u{1B}[2J\u{202E}drowssaP\u{7} \n\u{2066}two: ")
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "\\u{1B}[2J\\u{202E}drowssaP\\u{7}")
      #expect(shown.request.message == "\\u{2066}two:")
      try await presenter.type(String(repeating: "ä", count: 600), of: shown)
      #expect(await askpass.allOutput() == [])
      await askpass.expectExit(1)
    }
  }

  /// Runs git with this askpass only, in a repository's path that has the words of other questions.
  private func git(_ place: FrontEndPlace, _ address: String) throws -> ChildProcess {
    try place.start(
      "/usr/bin/git", "-c", "credential.helper=", "-c", "credential.useHttpPath=true", "credential", "fill",
      input: address + "\n\n", environment: ["GIT_ASKPASS": place.links + "/router-askpass", "GIT_TERMINAL_PROMPT": "0"])
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/git"), "needs git"))
  func `asks for git's user name, whatever its path is called, and does not record it`() async throws {
    let (name, secret) = ("name-\(UUID().uuidString)", "pass-\(UUID().uuidString)")
    let everything = Gathering()
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let filling = try git(place, "protocol=https\nhost=h\npath=ada/password.git")
      let user = try await presenter.nextPresentation()
      #expect(user.request.heading == "Username for 'https://h/ada/password.git':")
      let field = try #require(user.request.schema?.properties.first)
      #expect(field.title == "User name" && !field.isSecret)
      try await presenter.type(name, of: user)
      let password = try await presenter.nextPresentation()
      #expect(password.request.heading == "Password for 'https://…@h/ada/password.git':")
      #expect(password.request.schema?.properties.first?.isSecret == true)
      try await presenter.type(secret, of: password)
      let output = await filling.allOutput()
      #expect(output.contains("username=" + name) && output.contains("password=" + secret))
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: name).places.isEmpty)
    #expect(await everything.places(of: secret).places.isEmpty)
  }

  @Test func `does not record what was typed into a hidden field when the next question has it`() async throws {
    let secret = "pass-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let script = """
        name=$(router-askpass "Benutzername für 'https://h': ") && sh -c 'router-askpass "$1"; exit $?' - "Passwort für 'https://$name@h': "
        """
      let program = try place.start("sh", "-c", script)
      let first = try await presenter.nextPresentation()
      #expect(first.request.schema?.properties.first?.isSecret == true)
      try await presenter.type(secret, of: first)
      let second = try await presenter.nextPresentation()
      #expect(second.request.heading == "Passwort für 'https://…@h':")
      try await presenter.type("x", of: second)
      await program.expectExit()
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: secret).places.isEmpty)
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/git"), "needs git"))
  func `names the user of the address that git was given`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      // Stands for git-remote-https, whose command line has the address.
      let input = "protocol=https\nhost=h\nusername=ada\n\n"
      let git = "git -c credential.helper= credential fill; exit $?"
      let filling = try place.start(
        "sh", "-c", git, "-", "https://ada@h/r.git", input: input, environment: ["GIT_ASKPASS": place.links + "/router-askpass"]
      )
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.heading == "Password for 'https://ada@h':")
      try await presenter.dismiss(shown)
      await filling.expectExit(128)
    }
  }

  @Test(.enabled(if: FrontEndPlace.has("/usr/bin/ssh-keygen"), "needs openssh-client"))
  func `hides the passphrase of a key below any path`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      for name in ["username", "login: ", "(yes or no)", "Verification code: "] {
        let key = place.directory.file(name)
        await (try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", key)).expectExit()
        let reading = try place.start("/usr/bin/ssh-keygen", "-y", "-f", key)
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.schema?.properties.map(\.title) == ["Passphrase"], "\(shown.request.heading)")
        #expect(shown.request.schema?.properties.allSatisfy(\.isSecret) == true)
        try await presenter.type("secret", of: shown)
        await reading.expectExit()
      }
    }
  }

  @Test(
    .enabled(
      if: FrontEndPlace.has("/usr/bin/ssh") && FrontEndPlace.has("/usr/sbin/sshd") && getuid() == 0, "needs ssh, sshd and root")
  )
  func `asks for a host key and then for a password, with the real ssh`() async throws {
    try await TestDaemon.run { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let key = place.directory.file("host")
      await (try place.start("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)).expectExit()
      await (try place.start("mkdir", "-p", "/run/sshd")).expectExit()
      let sshd = "/usr/sbin/sshd -i -f /dev/null -h \(key) -o PidFile=none -o UsePAM=no"
      let connecting = try place.start(
        "/usr/bin/ssh", "-F", "/dev/null", "-o", "UserKnownHostsFile=/dev/null", "-o", "ProxyCommand=\(sshd)", "-o",
        "PubkeyAuthentication=no", "-o", "NumberOfPasswordPrompts=1", "username@h", "true")
      let hostKey = try await presenter.nextPresentation()
      #expect(hostKey.request.sheet == "host-key", "\(hostKey.request.heading)")
      try await presenter.answer(["answer": "yes"], on: hostKey)
      let password = try await presenter.nextPresentation()
      #expect(
        password.request.heading.hasPrefix("username@h's password:") || password.request.heading.hasPrefix("(username@h)"))
      #expect(password.request.schema?.properties.map(\.title) == ["Password"])
      #expect(password.request.schema?.properties.allSatisfy(\.isSecret) == true)
      try await presenter.dismiss(password)
      await connecting.expectExit(255)
    }
  }
}
