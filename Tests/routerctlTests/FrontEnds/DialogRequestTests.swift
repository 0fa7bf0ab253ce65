import OrderedCollections
import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

/// The requests for command lines of whiptail, dialog and zenity.
/// Promise P77.
struct DialogRequestTests {
  private static func whiptail(_ arguments: [String]) throws -> PresentationRequest {
    guard case .ask(let box) = try WhiptailCall(arguments, file: { _ in "Text\nof a file" }).action else {
      throw DialogFailure.cannotShow("no question")
    }
    return box.request(from: "whiptail")
  }

  private static func dialog(_ arguments: [String]) throws -> PresentationRequest {
    guard case .steps(let steps) = try DialogCall(arguments, file: { _ in "Text\nof a file" }).action, let step = steps.first
    else { throw DialogFailure.cannotShow("no question") }
    return step.box.request(from: "dialog")
  }

  private static func zenity(_ arguments: [String], input: String = "") throws -> PresentationRequest {
    var input = DialogInput(input)
    guard case .ask(let box) = try ZenityCall(arguments, input: &input, file: { _ in "Text\nof a file" }).action else {
      throw DialogFailure.cannotShow("no question")
    }
    return box.request(from: "zenity")
  }

  @Test func `makes the button that the caller chose the default`() throws {
    func defaults(_ request: PresentationRequest) -> [String] { request.buttons.filter(\.isDefault).map(\.label) }
    #expect(defaults(try Self.whiptail(["--yesno", "Go?", "8", "40"])) == [])
    #expect(defaults(try Self.whiptail(["--yesno", "Go?", "8", "40", "--defaultno"])) == ["No"])
    #expect(defaults(try Self.dialog(["--defaultno", "--yesno", "Go?", "8", "40"])) == ["No"])
    #expect(defaults(try Self.dialog(["--default-button", "no", "--yesno", "Go?", "8", "40"])) == ["No"])
    let extra = ["--extra-button", "--extra-label", "Later", "--default-button", "extra", "--msgbox", "Go?", "8", "40"]
    #expect(defaults(try Self.dialog(extra)) == ["Later"])
    #expect(defaults(try Self.zenity(["--question", "--text", "Go?", "--default-cancel"])) == ["No"])
    #expect(defaults(try Self.zenity(["--info", "--text", "Go?", "--default-cancel"])) == [])
  }

  /// Checks that the daemon would accept the request, and returns its buttons or fields.
  private func check(_ request: PresentationRequest) throws -> [String] {
    _ = try PresentationRequest(json: request.json)
    return request.buttons.map(\.label)
      + (request.schema?.properties ?? []).map { property in
        let choices =
          property.choices?.compactMap(\.string).joined(separator: "/") ?? property.format?.rawValue ?? property.kind.rawValue
        return "\(property.label): \(choices)" + (property.defaultValue.map { " = \($0)" } ?? "")
      }
  }

  @Test(arguments: [
    ("--msgbox Done 0 0", ["Ok"]),
    ("--yesno Go? 8 40 --yes-button Install --no-button=Skip --defaultno --topleft", ["Install", "Skip"]),
    ("--inputbox Name 8 40 init", ["Answer: string = \"init\""]),
    ("--passwordbox Secret 8 40", ["Password: password"]),
    ("--menu Which? 20 40 10 a Apple b Banana", ["a · Apple", "b · Banana", "Cancel"]),
    ("--menu --nocancel Which? 20 40 10 a Apple a Apple", ["a · Apple", "a · Apple (2)"]),
    ("--menu --default-item b Which? 20 40 10 a Apple b Banana", ["Choice: a · Apple/b · Banana = \"b · Banana\""]),
    ("--menu --notags Which? 20 40 10 a Apple b Banana", ["Apple", "Banana", "Cancel"]),
    ("--checklist Which? 20 40 10 a Apple on b Banana 0", [#"Choices: a · Apple/b · Banana = ["a · Apple"]"#]),
    ("--radiolist Which? 20 40 10 a Apple on b Banana ON", ["Choice: a · Apple/b · Banana = \"b · Banana\""]),
    ("--textbox /file 20 40 --scrolltext --fb", ["Ok"]),
  ])
  func `translates whiptail's boxes to requests`(line: String, controls: [String]) throws {
    #expect(try check(Self.whiptail(line.split(separator: " ").map(String.init))) == controls)
  }

  @Test(arguments: [
    ("--no-shadow --title T --msgbox Done 0 0", ["OK"]),
    ("--yesno Go? 8 40", ["Yes", "No"]),
    ("--extra-button --extra-label Later --help-button --yesno Go? 8 40", ["Yes", "Later", "No", "Help"]),
    ("--begin 2 2 --max-input 3 --inputbox Name 8 40 ab", ["Answer: string = \"ab\""]),
    ("--help-button --inputbox Name 8 40", ["Answer: string", "Button: OK/Help = \"OK\""]),
    ("--noitem --menu Which? 20 40 10 a b", ["a", "b", "Cancel"]),
    ("--nocancel --item-help --menu Which? 20 40 10 a Apple round b Banana bent", ["a · Apple · round", "b · Banana · bent"]),
    ("--checklist Which? 20 40 10 a Apple ON b Banana 1", [#"Choices: a · Apple/b · Banana = ["a · Apple"]"#]),
    ("--textbox /file 20 40", ["EXIT"]), ("--pause Wait 10 40 9", ["OK", "Cancel"]),
  ])
  func `translates dialog's boxes to requests`(line: String, controls: [String]) throws {
    #expect(try check(Self.dialog(line.split(separator: " ").map(String.init))) == controls)
  }

  @Test(arguments: [
    ("--info --text Done --ok-label Fine --width=300 --no-wrap --modal", ["Fine"]),
    ("--question --text Go? --extra-button Later", ["Yes", "Later", "No"]),
    ("--question --switch --extra-button A --extra-button _B", ["A", "B"]),
    ("--entry --entry-text init", ["Answer: string = \"init\""]), ("--entry --hide-text", ["Answer: password"]),
    ("--password --username", ["Username: string", "Password: password"]),
    ("--list --column Id --column Name 1 One 2 Two --hide-column 1", ["One", "Two", "Cancel"]),
    ("--list --checklist --column Use --column Name TRUE One FALSE Two", [#"Choices: One/Two = ["One"]"#]),
    ("--list --radiolist --column Use --column Name FALSE One TRUE Two", ["Name: One/Two = \"Two\""]),
    ("--list --column Name --extra-button Edit One", ["Name: One", "Button: OK/Edit = \"OK\""]),
    ("--list --multiple --column Name One Two", ["Choices: One/Two = []"]),
    ("--list --column Name", ["from", "stdin", "Cancel"]),
    (
      "--forms --add-entry Name --add-combo Size --combo-values S|M --add-password Pin",
      ["Name: string", "Size: S/M", "Pin: password"]
    ),
    ("--scale --value 7 --min-value 5", ["Value: integer = 7"]),
    ("--text-info --filename /file --checkbox Agreed", ["Agreed", "Cancel"]),
    ("--calendar --day 9 --month 2 --year 2024", ["Date: date = \"2024-02-09\""]),
  ])
  func `translates zenity's dialogs to requests`(line: String, controls: [String]) throws {
    #expect(try check(Self.zenity(line.split(separator: " ").map(String.init), input: "from\nstdin\n")) == controls)
  }

  @Test(
    arguments: [
      (["--text", "Done <b>now</b> &amp; here\\n\\\"there\\\"\\101"], "Done now & here", "\"there\"A"),
      (["--title", "Two\nlines", "--text=a"], "Two lines", "a"),
      (["--text", "a < b & c"], "a < b & c", nil), (["--no-markup", "--text", "<b>a\\n"], "<b>a\\n", nil),
      (["--text", "<span color=\"red\">a</b>"], "<span color=\"red\">a</b>", nil),
      (["--text", "&#65;&#x42;&bad;"], "&#65;&#x42;&bad;", nil), (["--text", "&#65;&#x42;"], "AB", nil),
      ([], "zenity", nil),
      (["--text", "\u{1B}[2J\u{202E}evil\u{7}"], "\\u{1B}[2J\\u{202E}evil\\u{7}", nil),
    ] as [([String], String, String?)])
  func `shows zenity's markup as plain text`(arguments: [String], title: String, message: String?) throws {
    let request = try Self.zenity(["--info"] + arguments)
    #expect(request.title == title)
    #expect(request.message == message)
    _ = try check(request)
  }

  @Test func `breaks lines at the escapes of whiptail and dialog`() throws {
    #expect(try Self.whiptail(["--title", "T", "--msgbox", "a\\nb", "0", "0"]).message == "a\nb")
    #expect(try Self.dialog(["--title", "T", "--msgbox", "a\\n  \nb\nc", "0", "0"]).message == "a\nb c")
    #expect(try Self.dialog(["--title", "T", "--cr-wrap", "--msgbox", "a\\nb\nc", "0", "0"]).message == "a\nb\nc")
    #expect(try Self.dialog(["--colors", "--title", "\\Z1T\\Zn", "--msgbox", "\\Zba\\ZB", "0", "0"]).message == "a")
  }

  @Test func `offers only OK and Cancel for a list without rows`() throws {
    #expect(try check(Self.zenity(["--list", "--column", "Name"])) == ["OK", "Cancel"])
  }

  @Test func `shows hostile rows as text on one line`() throws {
    let rows = ["\u{1B}[31m", "a\nb", "", " ", "\u{202E}x", "a b"]
    let request = try Self.zenity(["--list", "--column", "Name\u{7}"] + rows)
    #expect(try check(request) == ["\\u{1B}[31m", "a b", "(empty)", "(empty) (2)", "\\u{202E}x", "a b (2)", "Cancel"])
  }

  @Test func `splits rows at line feeds, with or without a carriage return`() throws {
    #expect(
      try check(Self.zenity(["--list", "--column", "Name"], input: "One\r\nTwo\nThree\r\n"))
        == ["One", "Two", "Three", "Cancel"])
    #expect(try Self.zenity(["--info", "--text", "a\r\nb"]).message == "b")
    #expect(try Self.dialog(["--title", "T", "--msgbox", "a\\n\r\nb", "0", "0"]).message == "a\nb")
  }

  @Test func `shows rows that differ only in their bytes apart, and prints the chosen one`() throws {
    let names: [[UInt8]] = [
      [0x61, 0xFF], [0x61, 0xFE], Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8), Array("a\u{10FFFF}".utf8),
    ]
    let rows = names.map { String(keeping: $0) }
    let shown = [#"a\xff"#, #"a\xfe"#, "caf\u{E9}", #"cafe\u{301}"#, "a\u{10FFFF}"]
    let lists: [(DialogBox, (DialogBox.Result) -> DialogReply?)] = try [
      Self.box(WhiptailCall(["--menu", "x", "0", "0", "0"] + rows.flatMap { [$0, ""] })),
      Self.box(DialogCall(["--no-items", "--menu", "x", "0", "0", "0"] + rows)),
      Self.box(["--list", "--column", "Name"] + rows),
    ]
    for (box, reply) in lists {
      let request = box.request(from: "x")
      #expect(try check(request).dropLast().map { Array($0.utf8) } == shown.map { Array($0.utf8) })
      for index in names.indices {
        let output = reply(.pressed(.ok, [.row(index)]))?.output.keptBytes
        #expect(output?.starts(with: names[index]) == true)
      }
    }
    var input = DialogInput()
    let call = try ZenityCall(["--list", "--multiple", "--column", "Name"] + rows, input: &input)
    guard case .ask(let box) = call.action else { return }
    let choices = box.request(from: "zenity").schema?.properties.first?.choices ?? []
    #expect(choices.compactMap(\.string).map { Array($0.utf8) } == shown.map { Array($0.utf8) })
  }

  private static func box(_ call: WhiptailCall) throws -> (DialogBox, (DialogBox.Result) -> DialogReply?) {
    guard case .ask(let box) = call.action else { throw DialogFailure.cannotShow("no question") }
    return (box, call.reply)
  }

  private static func box(_ call: DialogCall) throws -> (DialogBox, (DialogBox.Result) -> DialogReply?) {
    guard case .steps(let steps) = call.action, let step = steps.first else { throw DialogFailure.cannotShow("no question") }
    return (step.box, { step.reply($0) { _ in nil } })
  }

  private static func box(_ zenity: [String]) throws -> (DialogBox, (DialogBox.Result) -> DialogReply?) {
    var input = DialogInput()
    let call = try ZenityCall(zenity, input: &input)
    guard case .ask(let box) = call.action else { throw DialogFailure.cannotShow("no question") }
    return (box, { call.reply($0) { _ in nil } })
  }

  @Test func `an unchanged default keeps its bytes`() throws {
    let start = String(keeping: [0x61, 0xFF])
    let (box, _) = try Self.box(["--entry", "--entry-text", start])
    #expect(box.request(from: "zenity").schema?.properties.first?.defaultValue == #"a\xff"#)
  }

  @Test func `a combining mark does not hide a quotation mark of dialog's output`() throws {
    let tags = ["a\"\u{301}b", "$\u{301}x"]
    let arguments = ["--no-items", "--checklist", "x", "0", "0", "0"] + tags.flatMap { [$0, "on"] }
    let (_, reply) = try Self.box(DialogCall(arguments))
    let output = reply(.pressed(.ok, [.check(true), .check(true)]))?.output ?? ""
    #expect(Array(output.utf8) == Array("\"a\\\"\u{301}b\" \"\\$\u{301}x\"".utf8))
  }

  @Test func `mentions a custom cancel button in a form's message`() throws {
    let request = try Self.whiptail(["--cancel-button", "Exit", "--inputbox", "Name", "8", "40"])
    #expect(request.message == "(To choose \"Exit\", close this form.)")
  }

  @Test func `leaves the default password out of the request`() throws {
    let request = try Self.whiptail(["--passwordbox", "Secret", "8", "40", "hunter2"])
    #expect(!request.json.description.contains("hunter2"))
    #expect(request.schema?.hasSecret == true)
  }

  @Test func `counts a timeout only while the question is shown`() throws {
    #expect(try Self.zenity(["--info", "--timeout", "5"]).shownTimeout == .seconds(5))
    #expect(try Self.zenity(["--info", "--timeout", "0"]).shownTimeout == nil)
    #expect(try Self.dialog(["--timeout", "5", "--yesno", "x", "0", "0"]).shownTimeout == .seconds(5))
    #expect(try Self.dialog(["--pause", "x", "0", "0", "7"]).shownTimeout == .seconds(7))
  }

  @Test(
    arguments: [
      (["--foo", "--msgbox", "x", "0", "0"], "--foo: unknown option", 1), (["--title"], "--title: missing argument", 1),
      (["--msgbox=x"], "--msgbox: option does not take an argument", 1),
      (["--msgbox", "x", "0"], "whiptail: --msgbox: missing or invalid width\nUse --help to list options.", 255),
      (["--menu", "x", "0", "0", "0"], "whiptail: --menu: no rows\nUse --help to list options.", 255),
      (["--menu", "x", "0", "0", "0", "a"], "whiptail: --menu: incomplete row \"a\"\nUse --help to list options.", 255),
      (
        ["--yesno", "--msgbox", "x", "0", "0"], "whiptail: give one box option, such as --msgbox\nUse --help to list options.",
        255
      ),
    ] as [([String], String, Int32)])
  func `reports whiptail's usage errors`(arguments: [String], message: String, status: Int32) {
    #expect(throws: DialogFailure.usage(message, status)) { try WhiptailCall(arguments) }
  }

  @Test(arguments: ["--tailbox", "--form", "--fselect", "--calendar", "--file", "--print-maxsize"])
  func `leaves unsupported boxes to dialog`(option: String) {
    #expect(throws: DialogFailure.cannotShow(option)) { try DialogCall([option, "x", "0", "0"]) }
  }

  @Test(arguments: ["--file-selection", "--color-selection", "--notification"])
  func `leaves unsupported dialogs to zenity`(option: String) {
    var input = DialogInput("")
    #expect(throws: DialogFailure.cannotShow(option)) { try ZenityCall([option], input: &input) }
  }

  @Test func `turns off dialog's options with --no-, and ends a box only at an option`() throws {
    guard
      case .steps(let steps) = try DialogCall([
        "--colors", "--no-colors", "--cancel", "--menu", "x", "0", "0", "0", "--", "--yesno", "Apple", "--and-widget",
        "--msgbox",
        "y", "0", "0",
      ]).action
    else { throw DialogFailure.cannotShow("") }
    #expect(steps.map(\.kind) == [.menu, .msgbox])
    #expect(steps[0].tags == ["--yesno"])
    #expect(!steps[0].options.has("colors") && !steps[0].options.has("no-cancel"))
  }

  @Test func `parses progress line by line`() {
    var progress = DialogStatus(text: "Start", kind: .progress, closesWhenDone: true)
    for line in ["10", "# Half\\tdone", "50.5", "nonsense", "pulsate:true"] { progress.take(line) }
    #expect(progress.line == "50% Half done")
    #expect(!progress.isOver)
    progress.take("100")
    #expect(progress.isOver)
    var gauge = DialogStatus(text: "Start", kind: .gauge, percent: 5)
    for line in ["7", "XXX", "50", "Half", "done\u{1B}", "XXX", "x"] { gauge.take(line) }
    #expect(gauge.line == "50% Half done\\u{1B}")
    #expect(DialogStatus(text: "Wait\\nhere", kind: .message).line == "Wait here")
  }
}
