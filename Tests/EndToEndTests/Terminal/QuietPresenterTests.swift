import Router
import RouterClient
import Testing

/// `routerctl present` with a part of the prompts.
@Suite(.timeLimit(.minutes(10)))
struct QuietPresenterTests {
  @Test(arguments: ["--quiet 00:00-24:00", "--priority high", "--quiet 00:00-24:00 --below normal --priority high"])
  func `shows only what is urgent`(options: String) async throws {
    try await TestDaemon.run { daemon in
      try await TestTerminal.run(in: daemon) { terminal in
        try await terminal.present(on: daemon, options)
        let plain = try await daemon.client.detach(.alert("plain"))
        var request = PresentationRequest.alert("urgent")
        request.priority = .high
        let urgent = daemon.client.submit(request)
        try await terminal.untilArmed("│ urgent")
        try await terminal.press("1")
        #expect(try await urgent.resolved().outcome == .answered(.button("yes")))
        #expect(try await daemon.client.presentation(plain.id).generation == 0)
      }
    }
  }

  @Test(arguments: ["--after 0.5s", "--after 25h", "--quiet 22:00", "--priority urgent"])
  func `says what is wrong with an option`(options: String) async throws {
    let run = try ChildProcess("routerctl", ["present"] + options.split(separator: " ").map(String.init))
    var errors = ""
    for await line in run.errors { errors += line + "\n" }
    #expect(errors.contains(options.split(separator: " ")[0]), "\(errors)")
    await run.expectExit(64)
  }
}
