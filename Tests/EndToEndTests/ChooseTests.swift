import Foundation
import Router
import RouterClient
import RouterTesting
import Testing

/// `routerctl choose` with choices from standard input, and ids as people shorten them.
/// Promise P77.
@Suite(.timeLimit(.minutes(10)))
struct ChooseTests {
  private static let routerctl = ChildProcess.products.appending(path: "routerctl").path

  private func routerctl(_ arguments: String..., on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess("routerctl", arguments + ["--socket", daemon.socket])
  }

  private func shell(_ script: String, on daemon: TestDaemon) throws -> ChildProcess {
    try ChildProcess(
      "/bin/sh", ["-c", "routerctl() { '\(Self.routerctl)' \"$@\" --socket '\(daemon.socket)'; }; " + script])
  }

  @Test func `reads ten thousand choices from standard input, each once`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let choose = try shell("(seq 10000; echo; seq 9990 10000) | routerctl choose 'Which number?'", on: daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.buttons.count == 10_000)
      try await presenter.press(id: "c9999", on: shown)
      #expect(await choose.allOutput() == ["9999"])
      await choose.expectExit()
      let many = try shell("seq 10001 | routerctl choose 'Which number?'", on: daemon)
      #expect(await many.line(with: "must have at most 10000 buttons") != nil)
      await many.expectExit(64)
    }
  }

  @Test func `lists choices that are too long for a label, and prints them whole`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let long = String(repeating: "deep/", count: 60)
      let choices = ["/a/\(long)one", "/b/\(long)two", "short"]
      let list = "printf '%s\\n' \(choices.joined(separator: " ")) | routerctl choose 'Which?'"
      let choose = try shell(list, on: daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.buttons.map { $0.label.suffix(4) } == ["/one", "/two", "hort"])
      #expect(shown.request.buttons.allSatisfy { $0.label.utf8.count <= 256 })
      try await presenter.press(id: "c2", on: shown)
      #expect(await choose.allOutput() == [choices[1]])
      await choose.expectExit()
      let several = try shell(list + " --multiple", on: daemon)
      let form = try await presenter.nextPresentation()
      try await presenter.answer(["choices": [form.request.schema?.properties.first?.choices?.first ?? .null]], on: form)
      #expect(await several.allOutput() == [choices[0]])
      await several.expectExit()
    }
  }

  @Test func `prints the chosen ones of several, one per line`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let choose = try shell("printf 'a b\\nc\\nd\\n' | routerctl choose 'Which?' --multiple", on: daemon)
      try await presenter.answer(["choices": ["d", "a b"]], on: try await presenter.nextPresentation())
      #expect(await choose.allOutput() == ["a b", "d"])
      await choose.expectExit()
      let none = try shell("routerctl choose 'Which?' a b --multiple", on: daemon)
      try await presenter.answer(["choices": []], on: try await presenter.nextPresentation())
      #expect(await none.allOutput() == [])
      await none.expectExit()
    }
  }

  @Test func `prints the chosen ones of ten thousand`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let choose = try shell("seq 10000 | routerctl choose 'Which?' --multiple", on: daemon)
      let shown = try await presenter.nextPresentation()
      #expect(shown.request.schema?.properties.first?.choices?.count == 10_000)
      await #expect(throws: RouterError.self) { try await presenter.answer(["choices": ["10001"]], on: shown) }
      let odd = (1...10_000).filter { !$0.isMultiple(of: 2) }.map(String.init)
      try await presenter.answer(["choices": .array(odd.reversed().map(JSONValue.string))], on: shown)
      #expect(await choose.allOutput() == odd)
      await choose.expectExit()
    }
  }

  @Test func `prints the bytes of the chosen names, whatever they are`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      let names = #"'caf\303\251\ncafe\314\201\na\377\na\376\na\357\277\275\n'"#
      let octets = ["636166c3a9", "63616665cc81", "61ff", "61fe", "61efbfbd"]
      let dump = "od -An -tx1 | tr -d ' \\n'; echo"
      for (index, octets) in octets.enumerated() {
        let one = try shell("printf \(names) | routerctl choose 'Which?' | \(dump)", on: daemon)
        let shown = try await presenter.nextPresentation()
        #expect(
          shown.request.buttons.map { Array($0.label.utf8) }
            == ["caf\u{E9}", #"cafe\u{301}"#, #"a\xff"#, #"a\xfe"#, "a\u{FFFD}"].map { Array($0.utf8) })
        try await presenter.press(id: "c\(index + 1)", on: shown)
        #expect(await one.allOutput() == [octets + "0a"])
        await one.expectExit()
      }
      let several = try shell("printf \(names) | routerctl choose 'Which?' --multiple | \(dump)", on: daemon)
      let asked = try await presenter.nextPresentation()
      try await presenter.answer(["choices": [#"cafe\u{301}"#, #"a\xfe"#]], on: asked)
      #expect(await several.allOutput() == ["63616665cc810a61fe0a"])
      await several.expectExit()
      // Bash's $'…' passes bytes as arguments.
      let bash = #"exec "$0" choose 'Which?' $'a\xfe' $'a\xff' --default $'a\xff' --socket "$1""#
      let argument = try ChildProcess("/bin/bash", ["-c", bash + " | " + dump, Self.routerctl, daemon.socket])
      let given = try await presenter.nextPresentation()
      #expect(given.request.buttons.map(\.label) == [#"a\xfe"#, #"a\xff"#])
      #expect(given.request.buttons.map(\.isDefault) == [false, true])
      try await presenter.press(id: "c2", on: given)
      #expect(await argument.allOutput() == ["61ff0a"])
      await argument.expectExit()
    }
  }

  @Test func `without a choice it is a wrong call`() async throws {
    try await TestDaemon.run { daemon in
      let choose = try shell("routerctl choose 'Which?' < /dev/null", on: daemon)
      #expect(await choose.line(with: "no choices: standard input is empty") != nil)
      await choose.expectExit(64)
    }
  }

  @Test func `ends of ids and the newest prompt are accepted by every command`() async throws {
    try await TestDaemon.run { daemon in
      let presenter = TestPresenter(daemon.client)
      func detach(_ title: String, _ more: String...) async throws -> String {
        let asking = try ChildProcess(
          "routerctl", ["confirm", title, "--detach", "--socket", daemon.socket] + more)
        return try #require(await asking.allOutput().first)
      }
      let first = try await detach("first")
      let short = String(first.suffix(8))
      _ = try await presenter.nextPresentation()
      let over = try await detach("over", "--over", short)
      _ = try await presenter.nextPresentation()
      await (try routerctl("dismiss", "--last", on: daemon)).expectExit()
      #expect(try await daemon.client.presentation(try #require(PresentationID(over))).outcome == .dismissed)
      _ = try await presenter.nextPresentation()
      await (try routerctl("answer", short.uppercased(), "--button", "no", on: daemon)).expectExit()
      await (try routerctl("wait", first, on: daemon)).expectExit(1)
      let story = try ChildProcess("routerctl", ["log", "show", short, "--database", daemon.database])
      #expect(await story.allOutput().first == first)
      let last = try ChildProcess("routerctl", ["log", "show", "--last", "--database", daemon.database])
      #expect(await last.allOutput().first == over)
      let taken = try await detach("taken back")
      #expect(await (try routerctl("cancel", "--last", on: daemon)).allOutput() == [taken])
      let nobody = try routerctl("answer", "--last", "--button", "yes", on: daemon)
      #expect(await nobody.line(with: "cannot find a prompt: there are none") != nil)
      await nobody.expectExit(7)
    }
  }

  @Test func `the daemon's log finds ends of ids, too`() async throws {
    try await TestDaemon.run { daemon in
      let id = try await daemon.client.detach(.alert("?")).id
      let part = id.description.suffix(8)
      let page = try await daemon.client.log(["id": String(part)])
      #expect(page["presentations"]?.array?.map { $0["id"]?.string } == [id.description])
      #expect(try await daemon.call(.GET, "/v1/log?id=00000000").status == 404)
      #expect(try await daemon.call(.GET, "/v1/log?id=xyz").status == 400)
    }
  }
}
