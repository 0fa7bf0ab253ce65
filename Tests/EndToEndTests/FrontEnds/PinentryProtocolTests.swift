import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The Assuan protocol of `routerctl pinentry`, line by line.
/// Promise P85.
@Suite(.timeLimit(.minutes(10)))
struct PinentryProtocolTests {
  /// A conversation with the program.
  private struct Conversation {
    let process: ChildProcess
    private let input: ChildPipe
    private var lines: AsyncStream<String>.Iterator

    init(_ daemon: TestDaemon, arguments: [String] = [], environment: [String: String] = [:]) throws {
      input = try ChildPipe()
      let environment = environment.merging(["ROUTERD_SOCKET": daemon.socket]) { $1 }
      process = try ChildProcess("routerctl", ["pinentry"] + arguments, environment: environment, input: input.reading)
      lines = process.output.makeAsyncIterator()
    }

    func send(_ line: String) { input.write(line + "\n") }

    /// Returns the lines up to `OK` or `ERR`.
    mutating func reply() async -> [String] {
      var reply: [String] = []
      while let line = await lines.next() {
        reply.append(line)
        if line.hasPrefix("OK") || line.hasPrefix("ERR") { break }
      }
      return reply
    }

    mutating func call(_ line: String) async -> [String] {
      send(line)
      return await reply()
    }

    func end() { input.closeWriting() }
  }

  @Test func `greets first, and ends on BYE`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon)
      #expect(await conversation.reply() == ["OK Pleased to meet you, process \(conversation.process.pid)"])
      #expect(await conversation.call("GETINFO flavor") == ["D router", "OK"])
      #expect(await conversation.call("OPTION ttyname=/dev/null") == ["OK"])
      #expect(await conversation.call(String(repeating: "x", count: 5000)) == ["ERR 83886343 Line too long <Pinentry>"])
      #expect(await conversation.call("BYE") == ["OK closing connection"])
      await conversation.process.expectExit()
    }
  }

  @Test func `reports an expiry as a timeout, not a refusal`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon)
      _ = await conversation.reply()
      _ = await conversation.call("SETTIMEOUT 1")
      #expect(await conversation.call("GETPIN") == ["ERR 83886142 Timeout <Pinentry>"])
      #expect(await conversation.call("CONFIRM") == ["ERR 83886142 Timeout <Pinentry>"])
    }
  }

  @Test(arguments: [["--timeout", "1"], ["-o1", "-g"]])
  func `expires after the time of its command line`(arguments: [String]) async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon, arguments: arguments)
      _ = await conversation.reply()
      #expect(await conversation.call("RESET") == ["OK"])
      #expect(await conversation.call("GETPIN") == ["ERR 83886142 Timeout <Pinentry>"])
    }
  }

  @Test func `answers a script that writes all lines at once and closes its input`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon)
      conversation.send("SETDESC Hello\nGETPIN\nBYE")
      conversation.end()
      try await presenter.answer(["passphrase": "p"], on: try await presenter.nextPresentation())
      _ = await conversation.reply()
      _ = await conversation.reply()
      #expect(await conversation.reply() == ["D p", "OK"])
      #expect(await conversation.reply() == ["OK closing connection"])
      await conversation.process.expectExit()
    }
  }

  @Test func `shows a notice until its caller ends the program`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon)
      _ = await conversation.reply()
      _ = await conversation.call("SETDESC Use the pinpad.")
      conversation.send("CONFIRM --one-button")
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.title == "Use the pinpad.")
      conversation.process.signal(SIGINT)
      #expect(try await presenter.nextWithdrawal().id == shown.id)
      await conversation.process.expectExit(128 + SIGINT)
    }
  }

  @Test func `chooses the surface from PINENTRY_USER_DATA`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client, on: "desk")
      try await daemon.isPresented(by: presenter, on: "desk")
      var conversation = try Conversation(daemon, environment: ["PINENTRY_USER_DATA": "surface=desk"])
      _ = await conversation.reply()
      conversation.send("CONFIRM")
      try await presenter.press(id: "ok", on: try await presenter.nextPresentation())
      #expect(await conversation.reply() == ["OK"])
    }
  }

  @Test func `reports a lost daemon as an error, not a refusal`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      try await daemon.isPresented(by: presenter)
      var conversation = try Conversation(daemon)
      _ = await conversation.reply()
      conversation.send("GETPIN")
      _ = try await presenter.nextPresentation()
      await daemon.end(by: SIGKILL)
      #expect(await conversation.reply() == ["ERR 83886165 No pinentry <Pinentry>"])
    }
  }
}

extension TestDaemon {
  /// Waits until a presenter is attached, by showing it a prompt.
  func isPresented(by presenter: TestPresenter, on surface: String = "main") async throws {
    var request = PresentationRequest.alert("Is anybody there?")
    request.surface = surface
    let handle = client.submit(request)
    try await presenter.press(id: "yes", on: try await presenter.nextPresentation())
    _ = try await handle.resolved()
    _ = try await presenter.nextWithdrawal()
  }
}
