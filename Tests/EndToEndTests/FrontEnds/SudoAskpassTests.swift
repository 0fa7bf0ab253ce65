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
    environment: [String: String] = [:]
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
      exec setpriv --reuid 60041 --regid 60041 --clear-groups sudo -A -k ${PROMPT:+-p "$PROMPT"} sh -c 'echo as $(id -u)'
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
