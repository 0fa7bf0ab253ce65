import OrderedCollections
import Router
import RouterClient
import RouterTesting
import Testing

/// One answer to several prompts, over HTTP and with the command.
@Suite(.timeLimit(.minutes(10)))
struct BatchCommandTests {
  /// An id that no presentation has.
  private static func id(_ number: Int) -> String { "01936f5e-1b2c-7def-8a90-0000000000\(10 + number)" }

  private func ask(_ daemon: TestDaemon, _ object: String) async throws -> Presentation {
    var request = PresentationRequest.alert("Deploy \(object)?")
    request.act = Act("deploy", object: object)
    return try await daemon.client.detach(request)
  }

  @Test func `lists what is alike, and says what became of each`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      var all: [Presentation] = []
      for number in 0..<4 { all.append(try await ask(daemon, "host\(number)")) }
      _ = try await daemon.client.detach(.alert("Something else?"))
      _ = try await presenter.nextPresentation()
      #expect(try await daemon.client.alike(all[0].id).map(\.id) == all.dropFirst().map(\.id))
      let reply = try await daemon.call(.GET, "/v1/presentations?like=\(Self.id(9))")
      #expect(reply.status == 404)

      var extra = AnswerExtra()
      for other in all.dropFirst() { extra.also[other.id] = other.request.act?.digest }
      extra.also[all[2].id] = Act("deploy", object: "elsewhere").digest
      _ = try await daemon.client.cancel(all[3].id)
      let (answered, fates) = try await daemon.client.answerAll(all[0].id, .button("yes"), extra)
      #expect(answered.outcome == .answered(.button("yes")))
      #expect(
        fates == [
          all[1].id.description: "answered", all[2].id.description: "changed", all[3].id.description: "resolved",
        ])
      #expect(try await daemon.client.presentation(all[1].id).because == .with(all[0].id))
    }
  }

  @Test func `refuses remember beside also, too many, and an id that is none`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let one = try await ask(daemon, "host")
      _ = try await presenter.nextPresentation()
      let many = (0..<51).map { "\"\(Self.id($0))\": \"x\"" }.joined(separator: ", ")
      for body in [
        #"{"button": "yes", "also": {"x": "y"}}"#, #"{"button": "yes", "also": {\#(many)}}"#,
        #"{"button": "yes", "also": {"\#(one.id)": "y"}, "remember": {"for": "session"}}"#,
      ] {
        let reply = try await daemon.call(.POST, "/v1/presentations/\(one.id)/answer", try JSONValue(parsing: body))
        #expect(reply.status == 400)
        #expect(reply.error?.field == "/also")
      }
    }
  }

  @Test func `answers several with the command, and says which were left alone`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      var all: [Presentation] = []
      for number in 0..<3 { all.append(try await ask(daemon, "host\(number)")) }
      _ = try await presenter.nextPresentation()
      func routerctl(_ arguments: String...) async throws -> String {
        let run = try ChildProcess("routerctl", arguments, environment: ["ROUTERD_SOCKET": daemon.socket])
        let output = await run.allOutput().joined(separator: "\n")
        await run.expectExit()
        return output
      }
      let reply = try JSONValue(
        parsing: try await routerctl(
          "answer", all[0].id.description, "--button", "yes", "--also", "\(all[1].id.description.suffix(8))", "--also",
          "\(all[2].id.description.suffix(8))", "--json"))
      #expect(reply["also"] == [all[1].id.description: "answered", all[2].id.description: "answered"])
      let log = try await routerctl("log", "show", all[1].id.description, "--database", daemon.database)
      #expect(log.contains("together with \(all[0].id.description.suffix(8))"))
    }
  }
}
