import Foundation
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `router-askpass` with `sudo -A`.
/// Promise P85.
@Suite(
  .enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"),
  .enabled(if: FrontEndPlace.has("/usr/bin/sudo") && FrontEndPlace.has("/usr/bin/openssl"), "needs sudo and openssl"),
  .timeLimit(.minutes(10)))
struct SudoAskpassTests {
  private static let access = ["ROUTERD_SOCKET_MODE": "0666", "ROUTERD_ACCESS_REQUEST": "self,60041"]

  /// Runs sudo as a user with a password, in a mount namespace with its own user database.
  private func sudo(
    _ place: FrontEndPlace, _ daemon: TestDaemon, password: String = "right", prompt: String = "",
    environment: [String: String] = [:],
    command: String = #"sudo -A -k ${PROMPT:+-p "$PROMPT"} sh -c 'echo as $(id -u)'"#
  ) throws -> ChildProcess {
    let database = place.directory.file(UUID().uuidString)
    let script = """
      set -e
      mkdir \(database); cd \(database)
      cp /etc/passwd /etc/shadow .
      echo 'asker:x:60041:60041::/:/bin/sh' >> passwd
      echo "asker:$(printf %s "$PASSWORD" | openssl passwd -6 -stdin):19000:0:99999:7:::" >> shadow
      echo 'asker ALL=(ALL) ALL' > sudoers
      chmod 0440 sudoers
      for file in passwd shadow sudoers; do mount --bind $file /etc/$file; done
      chmod 0755 \(place.directory.path) \(daemon.directory)
      cd /; unset PASSWORD
      export SUDO_ASKPASS=\(place.links)/router-askpass
      exec setpriv --reuid 60041 --regid 60041 --clear-groups \(command)
      """
    return try place.start(
      "/usr/bin/unshare", "--mount", "sh", "-c", script,
      environment: ["PASSWORD": password, "PROMPT": prompt].merging(environment) { $1 })
  }

  @Test func `asks again after a wrong password, and stops on a refusal`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let right = try sudo(place, daemon)
      for password in ["wrong", "right"] {
        let shown = try await presenter.nextPresentation()
        #expect(shown.request.heading == "[sudo] password for asker:")
        #expect(shown.requester.process.uid == 60041 && shown.requester.app == "sudo")
        try await presenter.type(password, of: shown)
      }
      #expect(await right.allOutput() == ["as 0"])
      await right.expectExit()

      let refused = try sudo(place, daemon)
      try await presenter.dismiss(try await presenter.nextPresentation())
      #expect(await refused.allOutput() == [])
      await refused.expectExit(1)
    }
  }

  @Test(arguments: [["ROUTERD_SOCKET": "/nonexistent/s"], ["ROUTER_TIMEOUT": "0.2"]])
  func `fails without a daemon or an answer in time`(environment: [String: String]) async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let place = try await FrontEndPlace(daemon)
      let unanswered = try sudo(place, daemon, environment: environment)
      #expect(await unanswered.allOutput() == [])
      await unanswered.expectExit(1)
    }
  }

  /// The agent is a shell under another name, which runs a command that calls sudo without options.
  @Test func `asks for an agent's sudo in its session, shows the whole command, and tells the agent why it was denied`()
    async throws
  {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let home = place.directory.file("home")
      let routerctl = ChildProcess.products.appending(path: "routerctl").path
      let script = """
        mkdir -p $HOME && cp /bin/sh $HOME/agent && chown -R 60041 $HOME && cat >$HOME/turn <<'END'
        echo '{"hook_event_name":"SessionStart","session_id":"s-7f3a","cwd":"/srv/shop","source":"startup"}' | \(routerctl) agent hook
        sh -c '. $HOME/.local/lib/router/agent/environment; sudo sh -c "echo as \\$(id -u)" </dev/null 2>&1'
        END
        """
      let agent = "sh -c '\(routerctl) agent install claude >/dev/null && exec $HOME/agent $HOME/turn'"
      let prepared = try place.start("/bin/sh", "-c", script, environment: ["HOME": home])
      await prepared.expectExit()
      func turn() throws -> ChildProcess {
        try sudo(place, daemon, environment: ["HOME": home, "XDG_RUNTIME_DIR": home], command: agent)
      }
      let allowed = try turn()
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.app == "sudo" && shown.session == "s-7f3a" && shown.requester.process.uid == 60041)
      let command = try #require(shown.request.attachments.first { $0.kind == .command }).text
      #expect(command.hasSuffix("sudo -A -k sh -c 'echo as $(id -u)'"))
      #expect(shown.request.remember == nil && shown.request.agent != nil)
      try await presenter.type("right", of: shown)
      #expect(await allowed.allOutput() == ["as 0"])
      await allowed.expectExit()

      // The right password was not remembered.
      let denied = try turn()
      try await presenter.answer(["answer": "", "reason": "use pip\u{1B} instead"], on: try await presenter.nextPresentation())
      #expect(await denied.allOutput().contains("router-askpass: the user denied this: use pip\\u{1B} instead"))
      await denied.expectExit(1)

      let closed = try turn()
      try await presenter.dismiss(try await presenter.nextPresentation())
      #expect(await closed.allOutput().contains("router-askpass: the user denied this"))
      await closed.expectExit(1)
    }
  }

  @Test func `does not take a user's program with sudo's name for sudo`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let name = place.directory.file("sudo")
      try FileManager.default.copyItem(atPath: "/bin/dash", toPath: name)
      let asking = try sudo(
        place, daemon, command: #"\#(name) -c 'echo got "$("$SUDO_ASKPASS" "[sudo] password for asker: ")"' sudo apt update"#)
      let shown = try await presenter.nextPresentation()
      #expect(shown.requester.app != "sudo" && shown.request.attachments.isEmpty)
      try await presenter.dismiss(shown)
      #expect(await asking.allOutput() == ["got "])
      await asking.expectExit()
    }
  }

  @Test func `withdraws the prompt when sudo is killed, and answers two at once separately`() async throws {
    try await TestDaemon.run(environment: Self.access) { daemon in
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let killed = try sudo(place, daemon)
      let first = try await presenter.nextPresentation()
      // setpriv and sudo run in the process that was started.
      killed.signal(SIGKILL)
      #expect(try await presenter.nextWithdrawal().id == first.id)

      let prompts = ["One:", "Two:"]
      let both = try prompts.map { try sudo(place, daemon, password: "of \($0)", prompt: $0) }
      for _ in prompts {
        let shown = try await presenter.nextPresentation()
        try await presenter.type("of \(shown.request.heading)", of: shown)
      }
      for process in both {
        #expect(await process.allOutput() == ["as 0"])
        await process.expectExit()
      }
    }
  }

  @Test func `marks a hostile prompt, and leaks no password`() async throws {
    let secret = "pass-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: Self.access.merging(["ROUTERD_LOG_LEVEL": "trace"]) { $1 }) { daemon in
      everything.gather("standard error", daemon.process.errors)
      let place = try await FrontEndPlace(daemon)
      let presenter = TestPresenter(daemon.client)
      let process = try sudo(place, daemon, password: secret, prompt: "\u{1B}[2J\u{202E}drowssaP:")
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "\\u{1B}[2J\\u{202E}drowssaP:")
      #expect(shown.request.sensitive)
      try await presenter.type(secret, of: shown)
      #expect(await process.allOutput() == ["as 0"])
      await process.expectExit()
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: secret).places.isEmpty)
    #expect(await everything.places(of: "drowssaP").places.contains("log.db-wal"))
  }
}
