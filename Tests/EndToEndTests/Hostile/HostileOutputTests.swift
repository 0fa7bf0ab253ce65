import Foundation
import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// The command line prints accepted but hostile text (payloads, answers, presenters' failures) without anything that a
/// terminal interprets.
/// Promise P78.
@Suite(.timeLimit(.minutes(10)))
struct HostileOutputTests {
  private func payload(_ hostile: HostileText) -> JSONValue {
    ["text": .string(hostile.text), "names": .object([hostile.text: 1])]
  }

  private func request(_ hostile: HostileText) -> PresentationRequest {
    PresentationRequest(kind: .sheet, sheet: "s", payload: payload(hostile))
  }

  @Test func `prints no terminal escape from the log, the queue or an answer`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      var ids: [PresentationID] = []
      for hostile in HostileText.all {
        // As an answer.
        _ = try await daemon.client.detach(request(hostile))
        let shown = try await presenter.nextPresentation()
        let answer: JSONValue = ["value": .object([hostile.text: .string(hostile.text)]), "generation": 1]
        #expect(try await daemon.call(.POST, APIPath.presentation(shown.id) + "/answer", answer).status == 200)
        ids.append(shown.id)
        // As the detail of a failure, if accepted.
        _ = try await daemon.client.detach(request(hostile))
        let second = try await presenter.nextPresentation()
        let failed = try await daemon.call(
          .POST, APIPath.presentation(second.id) + "/fail", ["detail": .string(hostile.text), "generation": 1])
        if failed.status != 200 {
          #expect(failed.status == 400, "\(hostile.testDescription)")
          try await presenter.dismiss(second)
        }
        ids.append(second.id)
      }
      for hostile in HostileText.all { _ = try await daemon.client.detach(request(hostile)) }
      // CSV in a pipe is for programs, which get the raw values, so it is not checked here.
      var commands = [["log", "-n1000"], ["log", "-n", "1000", "--json"], ["log", "-n", "1000", "--events"]].map {
        $0 + ["--database", daemon.database]
      }
      commands += [["queue"], ["queue", "--json"], ["status"], ["status", "--json"]].map { $0 + ["--socket", daemon.socket] }
      for id in ids.suffix(8) {
        commands += [["log", "show", "\(id)"], ["log", "show", "\(id)", "--json"]].map { $0 + ["--database", daemon.database] }
        commands.append(["wait", "\(id)", "--json", "--socket", daemon.socket])
      }
      for arguments in commands {
        let command = try ChildProcess("routerctl", arguments)
        let lines = await command.allOutput()
        #expect(!lines.isEmpty, "\(arguments)")
        for line in lines { checkIsInert(line, "\(arguments)") }
        for await line in command.errors { checkIsInert(line, "\(arguments)") }
        #expect(await ![70, 128 + SIGTRAP, 128 + SIGILL].contains(command.exitStatus()), "\(arguments)")
      }
    }
  }

  @Test func `shows hostile text escaped in the terminal presenter`() async throws {
    try await TestDaemon.run { daemon in
      let keyboard = try ChildPipe()
      let terminal = try ChildProcess(
        "routerctl", ["present", "--socket", daemon.socket], input: keyboard.reading)
      for hostile in HostileText.all {
        let asked = try await daemon.client.detach(request(hostile))
        // Enter closes it. Keys typed before it was shown may be ignored, so press until it works.
        var ended = asked
        while ended.state != .resolved {
          keyboard.write("\n")
          ended = try await daemon.client.presentation(asked.id)
        }
        #expect(ended.outcome == .dismissed, "\(hostile.testDescription)")
      }
      terminal.signal(SIGINT)
      let lines = await terminal.allOutput()
      #expect(lines.count > 3 * HostileText.all.count)
      for line in lines { checkIsInert(line, "the terminal") }
      #expect(lines.contains { $0.contains("u{1B}") || $0.contains("u001b") })
    }
  }

  private func checkIsInert(_ line: String, _ comment: Comment) {
    let dangerous = line.unicodeScalars.filter { $0 != "\t" && HostileText.isDangerous($0) }
    #expect(dangerous.isEmpty, comment)
  }
}
