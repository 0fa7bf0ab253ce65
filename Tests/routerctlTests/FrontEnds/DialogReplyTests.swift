import Router
import Testing

@testable import RouterCommandLine
@testable import RouterCore
@testable import RouterFrontEnds
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal
@testable import routerctl

/// The output and statuses of whiptail, dialog and zenity for each outcome. Tests/Dialogs compares them with the real programs.
struct DialogReplyTests {
  private typealias Result = DialogBox.Result

  private func whiptail(_ arguments: String, _ result: Result) throws -> DialogReply? {
    try WhiptailCall(arguments.split(separator: " ").map(String.init)).reply(result)
  }

  private func dialog(
    _ arguments: String, _ result: Result, _ environment: [String: String] = [:]
  ) throws -> DialogReply? {
    guard case .steps(let steps) = try DialogCall(arguments.split(separator: " ").map(String.init)).action else { return nil }
    return steps.first?.reply(result) { environment[$0] }
  }

  private func zenity(
    _ arguments: String, _ result: Result, _ environment: [String: String] = [:]
  ) throws -> DialogReply? {
    var input = DialogInput("")
    return try ZenityCall(arguments.split(separator: " ").map(String.init), input: &input).reply(result) { environment[$0] }
  }

  private static let menu = "--menu x 0 0 0 a A b B"
  private static let checks = "--checklist x 0 0 0 a A on b B on"

  @Test func `prints whiptail's answer without a newline`() throws {
    #expect(try whiptail(Self.menu, .pressed(.ok, [.row(1)])) == DialogReply(output: "b", status: 0))
    #expect(try whiptail(Self.menu, .pressed(.cancel, [])) == DialogReply(status: 1))
    #expect(
      try whiptail(Self.checks, .pressed(.ok, [.check(true), .check(true)])) == DialogReply(output: "\"a\" \"b\"", status: 0))
    for result in [Result.closed, .expired, .withdrawn] {
      #expect(try whiptail(Self.menu, result) == DialogReply(status: 255))
    }
    #expect(try whiptail("--nocancel " + Self.menu, .closed) == DialogReply(status: 1))
    #expect(try whiptail(Self.menu, .unavailable("x")) == nil)
  }

  @Test func `takes dialog's exit statuses from the environment`() throws {
    #expect(try dialog(Self.menu, .pressed(.cancel, []), ["DIALOG_CANCEL": "0x10"]) == DialogReply(status: 16))
    #expect(try dialog(Self.menu, .closed, ["DIALOG_ESC": "010"]) == DialogReply(status: 8))
    #expect(try dialog(Self.menu, .closed, ["DIALOG_ESC": "8x"]) == DialogReply(status: 255))
    #expect(try dialog(Self.menu, .expired) == DialogReply(status: 255))
    #expect(try dialog(Self.menu, .expired, ["DIALOG_TIMEOUT": "5"]) == DialogReply(diagnostic: "\ntimeout\n", status: 5))
    #expect(try dialog("--pause x 0 0 5", .expired) == DialogReply(status: 0))
    #expect(try dialog(Self.menu, .unavailable("x")) == nil)
  }

  @Test func `prints the first row for dialog's help if none is chosen`() throws {
    #expect(try dialog("--help-button " + Self.menu, .pressed(.help, [.row(nil)])) == DialogReply(output: "HELP a", status: 2))
  }

  @Test func `distinguishes zenity's expiry from a refusal`() throws {
    #expect(try zenity("--question", .expired) == DialogReply(status: 5))
    #expect(try zenity("--entry --entry-text x", .expired) == DialogReply(output: "x\n", status: 5))
    #expect(try zenity("--password", .expired) == DialogReply(status: 5))
    #expect(try zenity("--forms --add-entry a --add-combo b", .expired) == DialogReply(output: "| \n", status: 5))
    #expect(try zenity("--entry", .expired, ["DIALOG_TIMEOUT": "6"]) == DialogReply(output: "\n", status: 6))
  }

  @Test func `prints the label of zenity's extra button unchanged`() throws {
    #expect(
      try zenity("--question --extra-button _A --extra-button _B", .pressed(.extra(1), []))
        == DialogReply(output: "_B\n", status: 1))
  }

  @Test func `prints nothing for zenity if no row is chosen`() throws {
    #expect(try zenity("--list --column Name", .pressed(.ok, [])) == DialogReply(status: 0))
    #expect(try zenity("--list --column Name One", .pressed(.ok, [.row(nil)])) == DialogReply(status: 0))
  }

  @Test func `ends each cell of zenity's form table with a comma`() throws {
    let line = "--forms --add-list L --list-values 1|2|3|4 --column-values A|B --add-entry E"
    #expect(try zenity(line, .pressed(.ok, [.row(1), .text("x")])) == DialogReply(output: "3,4,|x\n", status: 0))
  }

  @Test func `treats closing a form, but not an alert, as its cancel button`() throws {
    let box = DialogBox(title: "T", fields: [.text("A")], buttons: [(.ok, "OK"), (.cancel, "Cancel")])
    let alert = DialogBox(title: "T", buttons: [(.ok, "OK"), (.cancel, "Cancel")])
    for (box, result) in [(box, Result.pressed(.cancel, [])), (alert, .closed)] {
      let presentation = Presentation.sample(box.request(from: "dialog"))
      #expect(box.result(.dismissed(presentation)) == result)
    }
  }
}
