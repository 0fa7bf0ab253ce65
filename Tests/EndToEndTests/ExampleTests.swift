import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// The example programs, run to completion.
@Suite(.timeLimit(.minutes(10)))
struct ExampleTests {
  /// A run of a program with its script.
  struct Run: CustomTestStringConvertible {
    let name: String
    /// The headings of what is shown, in order.
    let shown: [String]
    /// The program's own output.
    let said: [String]
    /// The record, in order of request.
    let record: [String]

    var testDescription: String { name }
  }

  static let runs = [
    Run(
      name: "global-sheets",
      shown: ["Home", "Settings", "Home", "Content", "Settings", "Content", "Home", "Contacting John Doe", "Home"],
      said: ["settingsScreenDismissed", "Closed."],
      record: [
        "Home: answered", "Settings: dismissed", "Home: answered", "Content: dismissed", "Settings: dismissed",
        "Home: answered", "Contacting John Doe: dismissed", "Home: dismissed",
      ]),
    Run(
      name: "alert-state",
      shown: ["Delete which file?", "Are you sure?", "Delete which file?", "Are you sure?", "Delete which file?"],
      said: ["notes.txt is deleted."],
      record: [
        "Delete which file?: answered", "Are you sure?: answered", "Delete which file?: answered", "Are you sure?: answered",
        "Delete which file?: answered",
      ]),
    Run(
      name: "queryable",
      shown: [
        "Player", "Do you really want to do this?", "Player", "Do you really want to do this?", "Player",
        "Do you really want to do this?",
      ],
      said: ["Lily Parr plays with the number 11."],
      record: [
        "Player: answered", "Do you really want to do this?: answered", "Player: answered",
        "Do you really want to do this?: dismissed", "Player: answered", "Do you really want to do this?: answered",
      ]),
    Run(
      name: "order-flow",
      shown: [
        "Your cart", "Shipping address", "Save this address?", "Coupon", "There is no coupon NONE.", "Coupon", "Payment",
        "Summary", "Payment", "Billing address", "Card details", "Summary", "Your cart", "Shipping address", "Coupon",
        "Summary",
      ],
      said: ["Ordered for €0.00, to Alan Turing, 2 Warrington Crescent, London."],
      record: [
        "Your cart: answered", "Shipping address: cancelled, requester", "Save this address?: answered",
        "Coupon: cancelled, parentEnded", "There is no coupon NONE.: answered", "Payment: cancelled, parentEnded",
        "Summary: dismissed", "Billing address: cancelled, parentEnded", "Card details: cancelled, parentEnded",
        "Summary: cancelled, parentEnded", "Shipping address: cancelled, parentEnded", "Coupon: cancelled, parentEnded",
        "Summary: cancelled, parentEnded",
      ]),
    Run(
      name: "async-sheets",
      shown: [
        "Recent addresses", "Shipping address", "Save this address?", "Shipping address", "Save this address?", "Done",
        "Shipping address", "Done", "Shipping address",
      ],
      said: [
        "It goes to Alan Turing, 2 Warrington Crescent, London.", "It goes to Alan Turing, 2 Warrington Crescent, London.",
        "Closed.",
      ],
      record: [
        "Recent addresses: dismissed", "Shipping address: dismissed", "Save this address?: dismissed",
        "Save this address?: answered", "Done: cancelled, requester", "Done: dismissed",
      ]),
  ]

  private func expect(_ output: some Collection<String>, of run: Run) {
    let shown = output.filter { $0.hasPrefix("[shown] ") }.map { String($0.dropFirst("[shown] ".count)) }
    #expect(shown == run.shown)
    #expect(output.filter { !$0.hasPrefix("[") } == run.said)
  }

  @Test(arguments: runs) func `runs with a script, and prints the record`(run: Run) async throws {
    let example = try ChildProcess("router-examples", [run.name, "--scripted"])
    let output = await example.allOutput()
    await example.expectExit(0, "\(output)")
    let end = try #require(output.firstIndex(of: ""))
    expect(output[..<end], of: run)
    #expect(Array(output[end...]) == ["", "The record:"] + run.record.map { "  " + $0 })
  }

  @Test(arguments: runs) func `runs the same way over a daemon`(run: Run) async throws {
    try await TestDaemon.run { daemon in
      let example = try ChildProcess(
        "router-examples", [run.name, "--scripted", "--daemon"], environment: ["ROUTERD_SOCKET": daemon.socket])
      let output = await example.allOutput()
      await example.expectExit(0, "\(output)")
      expect(output, of: run)
      let record = try await AuditReader(path: daemon.database).presentations().reduce(into: []) { $0.append($1) }
      #expect(
        record.reversed().map { presentation in
          let outcome = presentation.outcome.map { [$0.name.rawValue, $0.reason].compactMap(\.self) } ?? []
          return presentation.request.heading + ": " + outcome.joined(separator: ", ")
        } == run.record)
    }
  }

  @Test func `takes answers from another presenter of the daemon`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let example = try ChildProcess(
        "router-examples", ["queryable", "--daemon"], environment: ["ROUTERD_SOCKET": daemon.socket])
      try await presenter.answer(["name": "Marta", "number": 10], on: try await presenter.nextPresentation())
      try await presenter.press("Yes", on: try await presenter.nextPresentation())
      await example.expectExit()
      #expect(await example.allOutput() == ["Marta plays with the number 10."])
    }
  }

  @Test func `takes answers from lines of standard input`() async throws {
    let shell = try ChildProcess(
      "/bin/sh",
      [
        "-c", "printf '1\\n9\\n1\\n:d\\n' | \"$1\" alert-state", "sh",
        ChildProcess.products.appending(path: "router-examples").path,
      ])
    let output = await shell.allOutput()
    await shell.expectExit(0, "\(output)")
    for words in ["letter.txt is deleted.", "  Are you sure?: answered", "  Delete which file?: dismissed"] {
      #expect(output.contains { $0.hasSuffix(words) }, "\(output)")
    }
  }

  @Test(arguments: [
    ("1\\n", "deleted"), ("2\\n", "kept"), (":d\\n", "kept"),
    ("", "cannot show the prompt: standard input ended before the prompt was answered"),
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
    let example = try ChildProcess("router-examples", ["queryable"])
    #expect(await example.line(with: "standard input ended before the prompt was answered") != nil)
    await example.expectExit(1)
  }
}
