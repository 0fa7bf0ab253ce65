import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The example programs, run to completion.
@Suite(.timeLimit(.minutes(20)))
struct ExampleTests {
  /// Returns a program's own output, without the script's actions and the record.
  private func said(by output: [String]) -> [String] {
    output.prefix { !$0.isEmpty }.filter { !$0.hasPrefix("[") }
  }

  static let endings: [(String, [String])] = [
    ("address", ["It goes to Alan Turing, 2 Warrington Crescent, London."]),
    ("save", ["It goes to Alan Turing, 2 Warrington Crescent, London, which is saved."]),
    (
      "delete",
      ["notes.txt is deleted.", "letter.txt is kept.", "thesis.txt is kept, for nobody said what to do with it."]
    ),
    ("player", ["Lily Parr plays with the number 11.", "Lily Parr is now captain."]),
    (
      "order",
      [
        "The order over €50.00 is cancelled.", "Ordered for €0.00, to Alan Turing, 2 Warrington Crescent, London.",
        "Thank you.",
      ]
    ),
  ]

  @Test(arguments: endings) func `completes with a script, and prints the record`(name: String, words: [String]) async throws {
    let example = try ChildProcess("router-examples", [name, "--scripted"])
    let output = await example.allOutput()
    await example.expectExit(0, "\(output)")
    #expect(said(by: output) == words)
    #expect(output.contains("The record:"))
  }

  @Test(arguments: endings) func `completes the same way over a daemon`(name: String, words: [String]) async throws {
    try await TestDaemon.run { daemon in
      let example = try ChildProcess(
        "router-examples", [name, "--scripted", "--daemon"], environment: ["ROUTERD_SOCKET": daemon.socket])
      let output = await example.allOutput()
      await example.expectExit(0, "\(output)")
      #expect(said(by: output) == words)
      #expect(try await daemon.client.presentations().isEmpty)
    }
  }

  @Test func `takes answers from another presenter of the daemon`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let example = try ChildProcess("router-examples", ["player", "--daemon"], environment: ["ROUTERD_SOCKET": daemon.socket])
      let player: JSONValue = ["name": "Marta", "number": 10, "isCaptain": true]
      for _ in 1...2 { try await presenter.answer(player, on: try await presenter.nextPresentation()) }
      await example.expectExit()
      #expect(await example.allOutput() == ["Marta plays with the number 10.", "Nothing was changed."])
    }
  }

  @Test func `takes answers from lines of standard input`() async throws {
    let shell = try ChildProcess(
      "/bin/sh",
      ["-c", "printf '1\\n:d\\n9\\n2\\n' | \"$1\" delete", "sh", ChildProcess.products.appending(path: "router-examples").path])
    let output = await shell.allOutput()
    await shell.expectExit(0, "\(output)")
    for words in [
      "notes.txt is deleted.", "letter.txt is kept, for nobody said what to do with it.", "thesis.txt is kept.",
      "  Delete thesis.txt?: answered",
    ] {
      #expect(output.contains { $0.hasSuffix(words) }, "\(output)")
    }
  }

  @Test(arguments: [
    ("1\\n", "deleted"), ("2\\n", "kept"), (":d\\n", "kept"),
    ("", "cannot show the presentation: standard input ended before the prompt was answered"),
  ])
  func `the README's program waits, and prints one line without an answer`(input: String, line: String) async throws {
    let program = ChildProcess.products.appending(path: "clean-cache").path
    let shell = try ChildProcess("/bin/sh", ["-c", "printf '\(input)' | \"$1\"", "sh", program])
    let output = await shell.allOutput()
    await shell.expectExit(0, "\(output)")
    #expect(output == [line])
    #expect(shell.printed.contains("│ Delete the cache?"))
  }

  @Test func `the article's program asks on its terminal without a daemon, and the daemon with one`() async throws {
    let program = ChildProcess.products.appending(path: "deploy").path
    let alone = try ChildProcess(
      "/bin/sh", ["-c", "echo 1 | \"$1\"", "sh", program], environment: ["ROUTERD_SOCKET": "/nonexistent/routerd.sock"])
    #expect(await alone.allOutput() == ["deploying"])
    await alone.expectExit()
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let program = try ChildProcess("deploy", [], environment: ["ROUTERD_SOCKET": daemon.socket])
      try await presenter.dismiss(try await presenter.nextPresentation())
      #expect(await program.allOutput() == ["later"])
      await program.expectExit()
    }
  }

  @Test func `fails with a reason when input ends`() async throws {
    let example = try ChildProcess("router-examples", ["player"])
    #expect(await example.line(with: "standard input ended before the prompt was answered") != nil)
    await example.expectExit(1)
  }
}
