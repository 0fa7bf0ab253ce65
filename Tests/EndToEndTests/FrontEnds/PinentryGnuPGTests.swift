import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import TestSupport
import Testing

/// `routerctl pinentry` with the real gpg and gpg-agent.
/// Promise P85.
@Suite(.enabled(if: GnuPG.isInstalled, "\(GnuPG.reason)"), .timeLimit(.minutes(10)))
struct PinentryGnuPGTests {
  private func withGnuPG(
    environment: [String: String] = [:], _ body: (TestDaemon, TestPresenter, GnuPG) async throws -> Void
  ) async throws {
    try await TestDaemon.run { daemon in
      let gnupg = try GnuPG(socket: daemon.socket, environment: environment)
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      try await withEnded {
        try await body(daemon, presenter, gnupg)
      } always: {
        try await gnupg.stop()
      }
    }
  }

  private func withEnded(_ body: () async throws -> Void, always: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      try? await always()
      throw error
    }
    try await always()
  }

  private func passphrase(_ text: String, _ repeated: String? = nil) -> JSONValue {
    repeated.map { ["passphrase": .string(text), "repeat": .string($0)] } ?? ["passphrase": .string(text)]
  }

  /// Types a new passphrase twice: into one form, or into two, as GnuPG 2.2 sometimes asks.
  private func typeNew(_ text: String, _ presenter: TestPresenter) async throws {
    let shown = try await presenter.nextPresentation()
    if shown.request.schema?.properties.count == 2 {
      try await presenter.answer(passphrase(text, text), on: shown)
    } else {
      try await presenter.answer(passphrase(text), on: shown)
      try await presenter.answer(passphrase(text), on: try await presenter.nextPresentation())
    }
  }

  @Test func `asks twice to encrypt symmetrically, and once to decrypt`() async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let (plain, secret) = (try gnupg.file("plain", "the text"), gnupg.directory.file("secret"))
      let encrypting = try gnupg.start("gpg", ["--symmetric", "--output", secret, plain])
      let first = try await presenter.nextPresentation()
      #expect(first.request.app == "gpg")
      #expect(first.request.sensitive)
      #expect(first.request.schema?.properties.map(\.name) == ["passphrase", "repeat"])
      #expect(first.request.message?.contains("Asked by gpg (\(encrypting.pid))") == true)
      try await presenter.answer(passphrase("one two+%ä", "other"), on: first)
      let second = try await presenter.nextPresentation()
      #expect(second.request.message?.contains("does not match") == true)
      try await presenter.answer(passphrase("one two+%ä", "one two+%ä"), on: second)
      await encrypting.expectExit()

      try await gnupg.stop()
      let decrypting = try gnupg.start("gpg", ["--decrypt", secret])
      let third = try await presenter.nextPresentation()
      #expect(third.request.schema?.properties.map(\.name) == ["passphrase"])
      try await presenter.answer(passphrase("one two+%ä"), on: third)
      #expect(await decrypting.allOutput() == ["the text"])
      await decrypting.expectExit()
    }
  }

  @Test func `generates a key and signs with it, after a wrong passphrase`() async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let making = try gnupg.start("gpg", ["--quick-generate-key", "Ada <ada@example.org>", "ed25519", "sign", "never"])
      let new = try await presenter.nextPresentation()
      try await presenter.answer(passphrase("correct horse 1", "correct horse 1"), on: new)
      await making.expectExit()
      try await gnupg.stop()

      let plain = try gnupg.file("plain")
      let signing = try gnupg.start("gpg", ["--clearsign", "--output", gnupg.directory.file("signed"), plain])
      let first = try await presenter.nextPresentation()
      #expect(first.request.title?.contains("unlock the OpenPGP secret key") == true)
      #expect(first.request.message?.contains("\"Ada <ada@example.org>\"") == true)
      #expect(first.request.metadata["keyinfo"]?.hasPrefix("n/") == true)
      try await presenter.answer(passphrase("wrong"), on: first)
      let second = try await presenter.nextPresentation()
      #expect(second.request.message?.hasPrefix("Bad Passphrase (try 2 of 3)") == true)
      try await presenter.answer(passphrase("correct horse 1"), on: second)
      await signing.expectExit()
      let verifying = try gnupg.start("gpg", ["--verify", gnupg.directory.file("signed")])
      await verifying.expectExit()
    }
  }

  @Test(arguments: [("ok", "OK"), ("cancel", "ERR 83886179 Operation cancelled <Pinentry>")])
  func `answers GET_CONFIRMATION with a button`(button: String, reply: String) async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let agent = try gnupg.start("gpg-connect-agent", ["GET_CONFIRMATION Really+do+it?", "/bye"])
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Really do it?")
      #expect(shown.request.app == "gpg-connect-agent")
      try await presenter.press(id: button, on: shown)
      #expect(await agent.allOutput() == [reply])
    }
  }

  @Test func `returns a repeated passphrase for GET_PASSPHRASE`() async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let agent = try gnupg.start(
        "gpg-connect-agent", ["GET_PASSPHRASE --data --repeat=1 --qualitybar X X Passphrase: New+one", "/bye"])
      try await typeNew("p%25 q", presenter)
      #expect(await agent.allOutput().contains("D p%2525 q"))
    }
  }

  @Test func `asks for concurrent programs one after the other`() async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let plain = try gnupg.file("plain")
      // Otherwise both would start an agent.
      _ = try await gnupg.agentPID()
      let running = try (1...2).map { number in
        try gnupg.start("gpg", ["--symmetric", "--output", gnupg.directory.file("secret\(number)"), plain])
      }
      var askers: [String] = []
      for _ in running {
        let shown = try await presenter.nextPresentation()
        let line = shown.request.message?.split(separator: "\n").last ?? ""
        askers.append(String(line.prefix { $0 != ")" }))
        let own = try #require(running.firstIndex { line.hasPrefix("Asked by gpg (\($0.pid))") })
        try await presenter.answer(passphrase("passphrase \(own)", "passphrase \(own)"), on: shown)
      }
      for process in running { await process.expectExit() }
      #expect(Set(askers).count == 2)
      try await gnupg.stop()
      for number in 1...2 {
        let decrypting = try gnupg.start("gpg", ["--decrypt", gnupg.directory.file("secret\(number)")])
        try await presenter.answer(passphrase("passphrase \(number - 1)"), on: try await presenter.nextPresentation())
        await decrypting.expectExit()
      }
    }
  }

  @Test(arguments: [true, false])
  func `withdraws the prompt when gpg or its agent is killed`(isAgent: Bool) async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let agent = try #require(try await gnupg.agentPID())
      let plain = try gnupg.file("plain")
      let encrypting = try gnupg.start("gpg", ["--symmetric", "--output", gnupg.directory.file("secret"), plain])
      let shown = try await presenter.nextPresentation()
      kill(isAgent ? agent : encrypting.pid, SIGKILL)
      let withdrawal = try await presenter.nextWithdrawal()
      #expect(withdrawal.id == shown.id)
      // The agent serves the next request.
      let next = try gnupg.start("gpg", ["--symmetric", "--output", gnupg.directory.file("next"), plain])
      try await presenter.answer(passphrase("passphrase 1", "passphrase 1"), on: try await presenter.nextPresentation())
      await next.expectExit()
      _ = await encrypting.exitStatus()
    }
  }

  @Test func `stops gpg when the prompt is dismissed`() async throws {
    try await withGnuPG { daemon, presenter, gnupg in
      let plain = try gnupg.file("plain")
      let encrypting = try gnupg.start("gpg", ["--symmetric", "--output", gnupg.directory.file("secret"), plain])
      try await presenter.dismiss(try await presenter.nextPresentation())
      await encrypting.expectExit(2)
      #expect(try await daemon.open().isEmpty)
    }
  }

  @Test func `runs the fallback without a daemon or presenter`() async throws {
    let directory = try TemporaryDirectory()
    let fallback = try directory.write(
      """
      #!/bin/sh
      echo "OK fallback $*"
      while read -r line; do
        case $line in
          GETPIN) printf 'D from the fallback\\nOK\\n' ;;
          BYE) echo OK; exit ;;
          *) echo OK ;;
        esac
      done
      """, to: "fallback")
    chmod(fallback, 0o700)
    try await TestDaemon.run { daemon in
      for socket in [daemon.socket, directory.file("nowhere")] {
        let gnupg = try GnuPG(socket: socket, environment: ["ROUTER_PINENTRY_FALLBACK": fallback])
        try await withEnded {
          let agent = try gnupg.start("gpg-connect-agent", ["GET_PASSPHRASE --data X X X X", "/bye"])
          #expect(await agent.allOutput() == ["D from the fallback", "OK"])
        } always: {
          try await gnupg.stop()
        }
      }
      #expect(try await daemon.client.log()["presentations"]?.array?.isEmpty == true)
    }
  }

  @Test func `leaks a passphrase nowhere`() async throws {
    let canary = "Canary-\(UUID().uuidString)"
    let everything = Gathering()
    try await TestDaemon.run(environment: ["ROUTERD_LOG_LEVEL": "trace"]) { daemon in
      everything.gather("the daemon's standard error", daemon.process.errors)
      everything.gather("the daemon's standard output", daemon.process.output)
      let gnupg = try GnuPG(socket: daemon.socket)
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      try await withEnded {
        let agent = try gnupg.start("gpg-connect-agent", ["GET_PASSPHRASE --data --repeat=1 X X X Password", "/bye"])
        everything.gather("standard error", agent.errors)
        try await typeNew(canary, presenter)
        #expect(await agent.allOutput().contains("D \(canary)"))
      } always: {
        try await gnupg.stop()
      }
      everything.addFiles(of: daemon)
      let log = try await daemon.call(.GET, "/v1/log")
      everything.add("the log", log.body)
      daemon.process.signal(SIGTERM)
      await daemon.process.expectExit()
      everything.addFiles(of: daemon)
    }
    #expect(await everything.places(of: canary).places.isEmpty)
    #expect(await everything.places(of: "passphrase").places.count > 1)
  }
}
