import OrderedCollections
import Router
import Testing

@testable import RouterFrontEnds
@testable import routerctl

struct PinentrySessionTests {
  // MARK: Commands without a question

  @Test(arguments: [
    ("NOP", "OK"), ("nop", "OK"), ("RESET", "OK"), ("# a comment", ""), ("", ""), ("BYE", "OK closing connection"),
    ("SETDESC a%0Ab", "OK"), ("SETQUALITYBAR", "OK"), ("SETGENPIN_TT x", "OK"), ("SETKEYINFO --clear", "OK"),
    ("OPTION no-grab", "OK"), ("OPTION grab", "OK"), ("OPTION ttyname=/dev/pts/1", "OK"), ("OPTION --lc-ctype = C", "OK"),
    ("OPTION default-ok=_OK", "OK"), ("OPTION allow-emacs-prompt", "OK"), ("OPTION owner=12/1000 host", "OK"),
    ("OPTION unheard-of=1", "ERR 83886254 Unknown option <Pinentry>"), ("OPTION", "ERR 83886356 IPC syntax error <Pinentry>"),
    ("OPTION =1", "ERR 83886356 IPC syntax error <Pinentry>"), (" NOP", "ERR 83886356 IPC syntax error <Pinentry>"),
    ("GETINFO flavor", "D router\nOK"), ("GETINFO pid", "D 42\nOK"), ("GETINFO version", "D 1.0.0\nOK"),
    ("GETINFO unheard-of", "ERR 83886360 IPC parameter error <Pinentry>"),
    ("CLEARPASSPHRASE n/GRIP", "OK"), ("CLEARPASSPHRASE", "ERR 83886341 Invalid value <Pinentry>"),
    ("UNHEARDOF", "ERR 83886355 Unknown IPC command <Pinentry>"), ("END", "ERR 83886354 Unexpected IPC command <Pinentry>"),
    ("D secret", "ERR 83886354 Unexpected IPC command <Pinentry>"),
  ])
  func `replies to a line`(line: String, reply: String) {
    var session = PinentrySession(pid: 42)
    #expect(session.text(line) == (reply.isEmpty ? "" : reply + "\n"))
  }

  @Test func `lists only known commands in HELP`() {
    var session = PinentrySession(pid: 42)
    let lines = session.text("HELP").split(separator: "\n")
    #expect(lines.last == "OK")
    #expect(lines.count > 20)
    for line in lines.dropLast() {
      #expect(line.hasPrefix("# "))
      #expect(!session.text(String(line.dropFirst(2))).contains("83886355"))
    }
  }

  @Test func `reports the terminal from the options in ttyinfo`() {
    var session = PinentrySession(pid: 42)
    #expect(session.text("GETINFO ttyinfo").hasPrefix("D - - - - "))
    for line in ["OPTION ttyname=/dev/pts/1", "OPTION ttytype=xterm", "OPTION display=:0"] { _ = session.text(line) }
    #expect(session.text("GETINFO ttyinfo").hasPrefix("D /dev/pts/1 xterm :0 - "))
  }

  @Test func `refuses an overlong line and reads the next one`() {
    var session = PinentrySession(pid: 42)
    #expect(session.receive(Assuan.Line.tooLong).text == "ERR 83886343 Line too long <Pinentry>\n")
    #expect(session.text("NOP") == "OK\n")
  }

  @Test func `parses both forms of the owner`() {
    var session = PinentrySession(pid: 42)
    #expect(session.owner == nil)
    for (line, pid) in [("12/1000 host", 12), ("13 host", 13), ("14/0 host", 14)] {
      _ = session.text("OPTION owner=\(line)")
      #expect(session.owner?.pid == Int32(pid))
      #expect(session.owner?.host == "host")
    }
    for line in ["", "host", "0 host", "-3 host", "12", "x/y host"] {
      _ = session.text("OPTION owner=\(line)")
      #expect(session.owner == nil, "\(line)")
    }
  }

  @Test(arguments: [
    (["--timeout", "30"], 30), (["--timeout=30"], 30), (["-o", "30"], 30), (["-o30"], 30), (["-o=3"], nil),
    (["-g", "--display", ":0", "-o", "5"], 5), (["--timeout", "0"], 0), (["--timeout"], nil), (["--colors", "-o9", "x"], nil),
    (["--timeout=x"], nil), (["--unheard-of", "-o4"], 4), ([], nil),
  ])
  func `takes the time limit of its command line, which SETTIMEOUT changes`(arguments: [String], seconds: Int?) throws {
    var session = PinentrySession(pid: 1, arguments: arguments)
    for _ in 0..<2 {
      #expect(session.timeout == seconds)
      // Without a limit, it is short enough that nobody is offered to put it off.
      let limit = seconds.map { $0 > 0 ? Duration.seconds($0) : nil } ?? .seconds(300)
      #expect(session.passphraseRequest().timeout == limit)
      #expect(session.confirmationRequest(isNotice: false).timeout == limit)
      // As GnuPG's own, it keeps the limit.
      #expect(session.text("RESET") == "OK\n")
    }
    _ = session.text("SETTIMEOUT 7")
    _ = session.text("RESET")
    #expect(session.passphraseRequest().timeout == .seconds(7))
  }

  @Test func `reports the terminal of its command line in ttyinfo`() {
    var session = PinentrySession(pid: 42, arguments: ["-T", "/dev/pts/2", "--ttytype=xterm", "-D:1"])
    #expect(session.text("GETINFO ttyinfo").hasPrefix("D /dev/pts/2 xterm :1 - "))
  }

  @Test func `hides what is typed whatever the prompt's text is`() throws {
    for prompt in ["Username:", "Username for 'h':", "login", "Verification code:"] {
      var session = PinentrySession(pid: 1)
      for line in ["SETPROMPT \(prompt)", "SETDESC \(prompt)", "SETREPEAT \(prompt)"] { _ = session.text(line) }
      #expect(try session.asked("GETPIN").schema?.properties.allSatisfy(\.isSecret) == true)
    }
  }

  @Test func `chooses the surface from the user data`() {
    #expect(PinentrySession(pid: 1).surface == "main")
    #expect(PinentrySession(pid: 1, userData: "USE_CURSES=1 surface=desk,x").surface == "desk")
    var session = PinentrySession(pid: 1, userData: "surface=desk")
    _ = session.text("OPTION pinentry-user-data=surface=phone")
    #expect(session.surface == "phone")
  }

  // MARK: GETPIN

  @Test func `asks with the decoded description for GETPIN`() throws {
    var session = PinentrySession(pid: 42)
    for line in [
      "SETDESC Unlock key:%0A%22Ada_L <ada@x>%22%0A100%25 of it", "SETPROMPT Passphrase:",
      "SETERROR Bad Passphrase (try 2 of 3)",
      "SETKEYINFO n/ABCD", "SETTIMEOUT 30",
    ] { _ = session.text(line) }
    let request = try session.asked("GETPIN")
    #expect(request.title == "Unlock key:")
    #expect(request.message == "Bad Passphrase (try 2 of 3)\n\n\"Ada_L <ada@x>\"\n100% of it")
    #expect(request.sensitive)
    #expect(request.timeout == .seconds(30))
    #expect(request.queueTimeout == nil)
    #expect(request.metadata["keyinfo"] == "n/ABCD")
    #expect(request.schema?.properties.map(\.label) == ["Passphrase"])
    #expect(request.schema?.properties.allSatisfy(\.isSecret) == true)
  }

  /// As in the request for the passphrase of a new key.
  @Test func `makes a sentence of several lines the title`() throws {
    var session = PinentrySession(pid: 42)
    _ = session.text("SETDESC Please enter the passphrase to%0Aprotect your new key")
    let request = try session.asked("GETPIN")
    #expect(request.title == "Please enter the passphrase to protect your new key" && request.message == nil)
  }

  @Test func `returns a passphrase as one data line, and an empty one as none`() throws {
    for (passphrase, reply) in [
      ("secret", "D secret\nOK\n"), ("", "OK\n"), ("a%b\r\n+ ä", "D a%25b%0D%0A+ ä\nOK\n"),
    ] {
      var session = PinentrySession(pid: 42)
      _ = try session.asked("GETPIN")
      #expect(session.text(.passphrase(passphrase)) == reply)
      #expect(session.text("NOP") == "OK\n")
    }
    // The longest passphrase fits into a line even if fully escaped.
    var session = PinentrySession(pid: 42)
    _ = try session.asked("GETPIN")
    let longest = session.text(.passphrase(String(repeating: "%", count: 255)))
    #expect(longest.split(separator: "\n").allSatisfy { $0.utf8.count <= Assuan.maximumLine })
  }

  @Test(arguments: [String(repeating: "ä", count: 128), String(repeating: "x", count: 256), "a\0b"])
  func `asks again for a passphrase that gpg-agent cannot take`(passphrase: String) throws {
    var session = PinentrySession(pid: 42)
    _ = try session.asked("GETPIN")
    let again = try session.asked(.passphrase(passphrase))
    #expect(again.message?.contains("Try again") == true)
    #expect(session.text(.passphrase("short")) == "D short\nOK\n")
  }

  @Test func `asks for a new passphrase twice until both match`() throws {
    var session = PinentrySession(pid: 42)
    for line in ["SETREPEAT Again:", "SETREPEATERROR No match%21"] { _ = session.text(line) }
    #expect(try session.asked("GETPIN").schema?.properties.map(\.label) == ["Passphrase", "Again"])
    let again = try session.asked(.passphrase("one", "two"))
    #expect(again.message == "No match!")
    #expect(again.schema?.properties.count == 2)
    #expect(session.text(.passphrase("one", "one")) == "S PIN_REPEATED\nD one\nOK\n")
    // The next passphrase is asked for once, without the error.
    let next = try session.asked("GETPIN")
    #expect(next.schema?.properties.count == 1)
    #expect(next.message == nil)
  }

  @Test func `asks to repeat an empty new passphrase too`() throws {
    var session = PinentrySession(pid: 42)
    _ = session.text("SETREPEAT")
    #expect(try session.asked("GETPIN").schema?.properties.map(\.label) == ["Passphrase", "Repeat"])
    #expect(session.text(.passphrase("", "")) == "S PIN_REPEATED\nOK\n")
  }

  @Test func `lets gpg-agent check a new passphrase if it enforces constraints`() throws {
    var session = PinentrySession(pid: 42)
    for line in [
      "OPTION constraints-enforce", "OPTION constraints-error-title=Passphrase Not Allowed",
      "OPTION constraints-hint-short=At least 8%20characters", "SETREPEAT Again",
    ] { _ = session.text(line) }
    let request = try session.asked("GETPIN")
    #expect(request.schema?.properties.first?.description == "At least 8 characters")
    #expect(session.text(.passphrase("a+%", "a+%")) == "INQUIRE CHECKPIN a%2B%25\n")
    #expect(session.text("D Too%20short") == "")
    let again = try session.asked("END")
    #expect(again.message == "Passphrase Not Allowed\nToo short")
    #expect(session.text(.passphrase("long enough", "long enough")) == "INQUIRE CHECKPIN long enough\n")
    #expect(session.text("END") == "S PIN_REPEATED\nD long enough\nOK\n")
    #expect(session.text("NOP") == "OK\n")
  }

  @Test(
    arguments: [
      (FrontEndOutcome.expired, "ERR 83886142 Timeout <Pinentry>\n"),
      (.withdrawn, "ERR 83886179 Operation cancelled <Pinentry>\n"),
      (.unavailable("x"), "ERR 83886165 No pinentry <Pinentry>\n"),
      (.dismissed(.ended(.dismissed)), "S BUTTON_INFO close\nERR 83886179 Operation cancelled <Pinentry>\n"),
    ] as [(FrontEndOutcome, String)])
  func `replies with an error if no passphrase is given`(outcome: FrontEndOutcome, reply: String) throws {
    var session = PinentrySession(pid: 42)
    for line in ["SETERROR x", "SETREPEAT y"] { _ = session.text(line) }
    _ = try session.asked("GETPIN")
    #expect(session.text(outcome) == reply)
    #expect(try session.asked("GETPIN").schema?.properties.count == 1)
  }

  // MARK: CONFIRM

  @Test(
    arguments: [
      ([], ["OK", "Cancel"]), (["SETOK _Yes", "SETNOTOK _No"], ["Yes", "No"]),
      (["SETOK a__b", "SETCANCEL c"], ["a_b", "c"]), (["SETNOTOK No", "SETCANCEL Stop"], ["OK", "No", "Stop"]),
      (["OPTION default-ok=_Gut", "OPTION default-cancel=_Weg"], ["Gut", "Weg"]),
      (["SETOK Same", "SETNOTOK Same"], ["Same", "Same (notok)"]), (["SETOK %E2%A0%80", "SETNOTOK %0A"], ["OK", "No"]),
    ] as [([String], [String])])
  func `shows the configured buttons for CONFIRM`(lines: [String], labels: [String]) throws {
    var session = PinentrySession(pid: 42)
    for line in lines { _ = session.text(line) }
    let request = try session.asked("CONFIRM")
    #expect(request.buttons.map(\.label) == labels)
    #expect(request.buttons.last?.role == .cancel)
    #expect(request.queueTimeout == .seconds(45))
    _ = try PresentationRequest(json: request.json)
  }

  @Test(
    arguments: [
      (FrontEndOutcome.answered(.button("ok"), .ended(.answered(.button("ok")))), "OK\n"),
      (.answered(.button("notok"), .ended(.answered(.button("notok")))), "ERR 83886194 Not confirmed <Pinentry>\n"),
      (.declined(.ended(.answered(.button("notok")))), "ERR 83886194 Not confirmed <Pinentry>\n"),
      (.declined(.ended(.answered(.button("cancel")))), "ERR 83886179 Operation cancelled <Pinentry>\n"),
      (.dismissed(.ended(.dismissed)), "S BUTTON_INFO close\nERR 83886179 Operation cancelled <Pinentry>\n"),
      (.expired, "ERR 83886142 Timeout <Pinentry>\n"), (.withdrawn, "ERR 83886179 Operation cancelled <Pinentry>\n"),
      (.unavailable("x"), "ERR 83886165 No pinentry <Pinentry>\n"),
    ] as [(FrontEndOutcome, String)])
  func `confirms only on OK`(outcome: FrontEndOutcome, reply: String) throws {
    var session = PinentrySession(pid: 42)
    _ = try session.asked("CONFIRM")
    #expect(session.text(outcome) == reply)
  }

  @Test(arguments: ["MESSAGE", "CONFIRM --one-button"])
  func `shows a notice with one button and no timeout`(command: String) throws {
    var session = PinentrySession(pid: 42)
    _ = session.text("SETDESC Use the pinpad.")
    let request = try session.asked(command)
    #expect(request.title == "Use the pinpad.")
    #expect(request.buttons.map(\.id) == ["ok"])
    #expect(request.queueTimeout == nil && request.timeout == nil)
    #expect(session.text(.dismissed(.ended(.dismissed))) == "S BUTTON_INFO close\nOK\n")
  }

  // MARK: Hostile text

  @Test(arguments: [
    "%1B[2J%1B]0;root%07", "%E2%80%AEtxt.exe", "a%00b", "%FF%FE", "", "%E2%A0%80", "%0A%0A%0A", "%", "%4", "%zz",
    String(repeating: "x", count: 990),
  ])
  func `makes a valid request from hostile text`(text: String) throws {
    for command in ["GETPIN", "CONFIRM", "MESSAGE"] {
      var session = PinentrySession(pid: 42)
      for setter in ["SETPROMPT", "SETTITLE", "SETERROR", "SETOK", "SETNOTOK", "SETCANCEL", "SETKEYINFO", "SETREPEAT"] {
        _ = session.text("\(setter) \(text)")
      }
      _ = session.text("SETDESC Unlock%0A\(text)")
      let request = try session.asked(command)
      _ = try PresentationRequest(json: request.json)
      #expect(!request.json.description.contains("\u{1B}"))
    }
  }

  @Test func `clears settings on RESET, and keeps the options`() throws {
    var session = PinentrySession(pid: 42)
    for line in ["SETDESC x", "SETREPEAT", "OPTION default-prompt=PIN:", "RESET"] { _ = session.text(line) }
    let request = try session.asked("GETPIN")
    #expect(request.title == "A program asks for a passphrase")
    #expect(request.schema?.properties.map(\.label) == ["PIN"])
  }
}

extension PinentrySession {
  /// Returns the reply to a line; `?` for a question.
  fileprivate mutating func text(_ line: String) -> String { receive(.text(line)).text }

  fileprivate mutating func text(_ outcome: FrontEndOutcome) -> String { receive(outcome).text }

  fileprivate mutating func asked(_ line: String) throws -> PresentationRequest { try receive(.text(line)).question() }

  fileprivate mutating func asked(_ outcome: FrontEndOutcome) throws -> PresentationRequest {
    try receive(outcome).question()
  }
}

extension PinentrySession.Step {
  fileprivate var text: String {
    switch self {
    case .reply(let lines), .leave(let lines): lines.text
    case .ask: "?"
    }
  }

  fileprivate func question() throws -> PresentationRequest {
    guard case .ask(let request) = self else { throw RouterError(.invalid, "this is not a question: \(text)") }
    return request
  }
}

extension SecretBytes {
  fileprivate var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension FrontEndOutcome {
  fileprivate static func passphrase(_ passphrase: String, _ repeated: String? = nil) -> FrontEndOutcome {
    var value: JSONValue = ["passphrase": .string(passphrase)]
    if let repeated { value = ["passphrase": .string(passphrase), "repeat": .string(repeated)] }
    return .answered(.value(value), .ended(.answered(.value(value))))
  }
}

extension Presentation {
  /// Returns an ended presentation.
  static func ended(
    _ outcome: PresentationOutcome, by resolver: Presentation.Responder? = nil
  ) -> Presentation {
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    return Presentation(
      id: PresentationIDGenerator().next(at: now), state: .resolved,
      requester: Presentation.Requester(app: "test", process: .current),
      request: PresentationRequest(kind: .alert), requestedAt: now, outcome: outcome, resolvedBy: resolver)
  }
}
