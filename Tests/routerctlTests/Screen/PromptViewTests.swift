import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

struct PromptViewTests {
  private func lines(
    _ presentation: Presentation, columns: Int = 40, rows: Int = 30, waiting: Int = 0, parents: [String] = [],
    change: (inout PromptState) -> Void = { _ in }
  ) -> [String] {
    var state = PromptState(
      presentation, waiting: waiting, now: Timestamp(milliseconds: 1_700_000_005_000), parents: parents)
    _ = state.handle(.armed)
    state.take(PromptView(state, size: ScreenSize(columns: columns, rows: rows), hasColor: false).frame)
    change(&state)
    return PromptView(state, size: ScreenSize(columns: columns, rows: rows), hasColor: false).frame.lines
  }

  @Test func `shows the requester, the question, the buttons and the times`() {
    let lines = lines(.sample(.deploy, generation: 2), waiting: 3) { state in
      _ = state.handle(.expires(Timestamp(milliseconds: 1_700_000_185_000)))
    }
    #expect(
      lines == [
        "━━ main " + String(repeating: "━", count: 20) + " 3 queued ━━",
        "█ uid 7123 · deploy",
        "█ look twice: another user asks: uid",
        "█   7123",
        "│ Deploy 1.4.2?",
        "│",
        "│ 42 commits.",
        "│ Since yesterday.",
        "│",
        "  1    Deploy  (destructive)",
        "› 2    In an hour  (Enter)",
        "  3    Not now  (Esc)",
        "       Say why",
        "       Dismiss",
        "asked 5 s ago · expires in 3 min",
        "↑↓ choose · Enter presses · Esc: Not now",
      ])
  }

  @Test func `marks what is critical, and shows no way to close what needs an answer`() {
    var request = PresentationRequest.deploy
    request.buttons.removeLast()
    request.buttons[0].isDefault = true
    request.severity = .critical
    request.dismissDisabled = true
    let lines = lines(.sample(request))
    #expect(lines.contains("│ ! critical"))
    #expect(lines.contains("› 1    Deploy  (destructive, Enter)"))
    #expect(lines.allSatisfy { !$0.contains("Dismiss") })
    #expect(lines.last == "↑↓ choose · Enter presses · ? shows more")
  }

  @Test func `draws progress below the text, behind the bar`() {
    let request = PresentationRequest(kind: .sheet, title: "Copying", sheet: "copying")
    let lines = lines(.sample(request)) { _ = $0.handle(.progress(0.5, "7 of 14 files")) }
    #expect(lines.contains("│ ██████░░░░░░ 50%  7 of 14 files"))
  }

  private func agentPrompt(_ command: String, _ words: String) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: "Run \(command.prefix(20))?", message: words,
      buttons: [
        PresentationRequest.Button(id: "allow", label: "Allow"),
        PresentationRequest.Button(id: "deny", label: "Deny", role: .cancel, isDefault: true),
      ])
    request.attachments = [PresentationRequest.Attachment(.command, command, title: "Command in /home/ada/shop")]
    return request
  }

  @Test func `shows the command first, what is risky about it, and two lines of what the program says`() {
    let request = agentPrompt("npm test && rm -rf dist", (1...5).map { "Reason \($0)." }.joined(separator: "\n"))
    let text = lines(.sample(request), columns: 60).filter { $0.hasPrefix("│") }
    #expect(
      text == [
        "│ Run npm test && rm -rf d?", "│", "│ Command in /home/ada/shop", "│   npm test && rm -rf dist",
        "│ Look twice: rm -rf (deletes without asking)", "│", "│ deploy says:", "│   Reason 1.", "│   Reason 2.",
        "│ … 3 more lines: press ?", "│",
      ])
    let all = lines(.sample(request), columns: 60) { _ = $0.handle(.key(.text("?"))) }
    #expect(all.contains("│   Reason 5.") && all.contains { $0.hasPrefix("█ asked by") })
  }

  @Test func `the button says that the end of the command was not on the screen`() {
    let command = (1...60).map { "echo \($0)" }.joined(separator: "\n")
    var state = PromptState(.sample(agentPrompt(command, "x")), waiting: 0, now: Timestamp(milliseconds: 1_700_000_005_000))
    _ = state.handle(.armed)
    func draw() -> [String] {
      let frame = PromptView(state, size: ScreenSize(columns: 80, rows: 24), hasColor: false).frame
      state.take(frame)
      return frame.lines
    }
    #expect(draw().contains("│   echo 1"))
    #expect(draw().contains("  1    Allow without seeing all of it") && draw().contains("  2    Deny  (Esc)"))
    while !state.hasSeenAll {
      #expect(!draw().contains("│   echo 60"))
      _ = state.handle(.key(.pageDown))
      _ = draw()
    }
    #expect(draw().contains("│   echo 60"))
    #expect(draw().contains("  1    Allow") && draw().contains("› 2    Deny  (Enter, Esc)"))
    // Scrolling back changes nothing.
    for _ in 0..<9 { _ = state.handle(.key(.pageUp)) }
    #expect(draw().contains("│   echo 1") && draw().contains("  1    Allow"))
  }

  /// What an agent asks, whose answer can be remembered, as its own program.
  private func remembered(
    _ request: PresentationRequest, _ act: Act, match: JSONValue, doubt: ProcessIdentity.ExecutableDoubt? = nil
  ) throws -> Presentation {
    var request = request
    request.act = act
    var process = ProcessIdentity(
      uid: ProcessIdentity.current.uid, gid: 1, pid: 29, executable: "/opt/claude", executableDoubt: doubt)
    process.directory = "/home/ada/shop"
    var presentation = Presentation(
      id: try #require(PresentationID("01936f5e-1b2c-7def-8a90-112233445566")), state: .presented, generation: 1,
      requester: Presentation.Requester(app: "claude-code", process: process), request: request,
      requestedAt: Timestamp(milliseconds: 1_700_000_000_000))
    presentation.offer = try GrantOffer(
      json: [
        "buttons": ["allow"], "match": [["match": match]], "for": ["session", 3600],
        "anchor": ["pid": 28, "started": 0, "executable": "/opt/claude"], "boot": "b",
      ], at: "")
    return presentation
  }

  private func tests(doubt: ProcessIdentity.ExecutableDoubt? = nil) throws -> Presentation {
    let words = "Runs all tests, to see whether the new column for the currency breaks the totals, before the migration."
    return try remembered(
      agentPrompt("npm test", words), Act("Bash", object: "npm test", directory: "/home/ada/shop"), match: "exact", doubt: doubt
    )
  }

  private func write() throws -> Presentation {
    var request = agentPrompt("", "")
    (request.title, request.message) = ("Create src/amount.ts?", nil)
    let file = "/home/ada/shop/src/amount.ts"
    let diff = (1...40).map { "+line \($0)" }.joined(separator: "\n")
    request.attachments = [PresentationRequest.Attachment(.diff, "@@ -0,0 +1,40 @@\n" + diff, title: file)]
    return try remembered(request, Act("Write", object: file, directory: "/home/ada/shop"), match: "under")
  }

  @Test func `a low terminal shows the command and the buttons, and the other controls with the focus`() throws {
    let first = lines(try tests(), rows: 14)
    #expect(first.count == 13)
    #expect(first.contains("│   npm test") && first.contains("  1    Allow") && first.contains("› 2    Deny  (Enter, Esc)"))
    #expect(!first.contains { $0.contains("press ?") || $0.hasPrefix("asked") })
    #expect(first.last == "↑↓ more · Enter presses · Esc: Deny")
    let second = lines(try tests(), rows: 14) { state in
      state.hasSeenAll = true
      for key in [Key.tab, .right] { _ = state.handle(.key(key)) }
    }
    #expect(second.contains("│   npm test") && second.contains("  1    Allow") && second.contains("  2    Deny  (Enter, Esc)"))
    #expect(second.contains("›      Remember: ‹ this session of") && second.contains("                   claude (pid 28) ›"))
    #expect(second.last == "←→ change · Enter: done · Esc: back")
    let file = lines(try write(), rows: 14)
    #expect(file.contains("│   /home/ada/shop/src/amount.ts") && file.contains("│   +line 1"))
    #expect(file.count { $0.contains("amount.ts") } == 2)
  }

  @Test(
    arguments: [
      (.deleted, ["█ look twice: its program is deleted", "█   or replaced"]),
      (.later, ["█ look twice: its program is perhaps", "█   started after connecting"]),
    ] as [(ProcessIdentity.ExecutableDoubt, [String])])
  func `a low terminal shows what is odd whole, and still the command`(doubt: ProcessIdentity.ExecutableDoubt, odd: [String])
    throws
  {
    let lines = lines(try tests(doubt: doubt), rows: 14)
    #expect(Array(lines[2..<2 + odd.count]) == odd)
    #expect(lines.contains("│   npm test") && lines.contains("› 2    Deny  (Enter, Esc)"))
  }

  @Test(arguments: [20, 32, 40, 80])
  func `shows for what an answer is remembered in full`(columns: Int) throws {
    let shown = lines(try write(), columns: columns, rows: 40) { state in
      state.hasSeenAll = true
      for key in [Key.tab, .right, .tab] { _ = state.handle(.key(key)) }
    }
    #expect(shown.allSatisfy { $0.columns <= columns })
    let start = try #require(shown.firstIndex { $0.hasPrefix("›      For:") })
    let row = shown[start...].prefix { !$0.contains("Say why") }
    #expect(row.joined().filter { $0 != " " } == "›For:‹Writeanywherebelow/home/ada/shop›")
  }

  @Test func `an answer to what was not seen whole is not remembered`() throws {
    var state = PromptState(try write(), waiting: 0, now: Timestamp(milliseconds: 1_700_000_005_000))
    _ = state.handle(.armed)
    func draw() -> [String] {
      let frame = PromptView(state, size: ScreenSize(columns: 40, rows: 14), hasColor: false).frame
      state.take(frame)
      return frame.lines
    }
    _ = draw()
    for key in [Key.tab, .tab, .tab, .right] { _ = state.handle(.key(key)) }
    #expect(state.focus == .row(.period) && state.notice?.contains("PgDn") == true)
    #expect(draw().contains { $0.hasPrefix("›      Remember: ‹ only if seen whole ›") })
    let unread = state.handle(.key(.text("1")))
    #expect(unread == .answer(.button("allow")))
    while !state.hasSeenAll {
      _ = state.handle(.key(.pageDown))
      _ = draw()
    }
    for key in [Key.right, .right] { _ = state.handle(.key(key)) }
    let read = state.handle(.key(.text("1")))
    #expect(read?.extra.remember == GrantChoice(GrantOffer.Width(.under), for: .seconds(3600)))
    #expect(read?.summary(of: state.presentation) == "chose Allow, remembered: 1 h")
    // In lines, all of it was printed above the question.
    var printed = PromptState(try write(), waiting: 0, now: Timestamp(milliseconds: 1_700_000_005_000))
    #expect(printed.enter("r") == nil)
    let session = printed.enter("1")
    #expect(session?.extra.remember?.period == .session)
    #expect(session?.summary(of: printed.presentation) == "chose Allow, remembered: this session of claude (pid 28)")
  }

  @Test func `names the key for one hidden line only once, and counts it as one`() throws {
    let three = lines(.sample(agentPrompt("npm test", "1\n2\n3")))
    #expect(three.contains("│   3") && !three.contains { $0.contains("press ?") })
    let four = agentPrompt("npm test", "1\n2\n3\n4")
    #expect(lines(.sample(four)).contains("│ … 2 more lines: press ?"))
    // What has to be scrolled anyway hides nothing.
    let low = lines(.sample(four), rows: 12)
    #expect(low.contains { $0.hasSuffix("PgDn)") } && !low.contains { $0.contains("press ?") })
    #expect(lines(.sample(four)) { _ = $0.handle(.key(.text("?"))) }.last == "↑↓ choose · ? shows less · Esc: Deny")
    var ends: [String] = []
    for scroll in 0..<12 {
      ends += lines(.sample(four), rows: 12) { $0.scroll = scroll }.filter { $0.hasSuffix("PgDn)") }
    }
    #expect(ends.contains("(1 more line: PgDn)") && !ends.contains { $0.contains("1 more lines") && !$0.contains("11") })
  }

  @Test func `shows that keys are not accepted yet`() {
    let armed = lines(.sample(.deploy))
    let unarmed = lines(.sample(.deploy)) { _ = $0.handle(.disarmed) }
    #expect(unarmed.last == "▒▒▒▒ one moment ▒▒▒▒")
    #expect(armed.last != unarmed.last)
    #expect(armed.count == unarmed.count)
  }

  @Test func `shows a field's requirements and its problem`() {
    let name = FormSchema.Property(name: "name", kind: .string, title: "Name", isRequired: true, minimumLength: 2)
    let pin = FormSchema.Property(name: "pin", kind: .string, title: "PIN", defaultValue: "1234", format: .password)
    let gift = FormSchema.Property(name: "gift", kind: .boolean)
    let request = PresentationRequest(kind: .sheet, sheet: "a", schema: FormSchema(properties: [name, pin, gift]))
    let lines = lines(.sample(request), columns: 60) { state in
      _ = state.handle(.key(.text("A")))
    }
    let start = lines.firstIndex { $0.hasPrefix("› ") } ?? 0
    #expect(
      Array(lines[start...].prefix(9)) == [
        "› Name  (required, at least 2 characters)",
        "    A",
        "    ! Name must have at least 2 characters",
        "  PIN",
        "    ••••",
        "  gift",
        "    ( ) Yes   ( ) No",
        "       Answer",
        "       Say why",
      ])
  }

  @Test func `a required list has a marked row`() {
    let choices = ["Here", "There"].map(JSONValue.string)
    let field = FormSchema.Property(name: "place", kind: .string, isRequired: true, choices: choices)
    let request = PresentationRequest(kind: .sheet, sheet: "a", schema: FormSchema(properties: [field]))
    let lines = lines(.sample(request))
    #expect(lines.contains("    › 1  Here") && lines.contains("      2  There"))
    #expect(lines.last?.hasPrefix("↑↓ choose · Enter answers") == true)
  }

  @Test func `Escape leaves the comment`() {
    let lines = lines(.sample(.deploy)) { _ = $0.handle(.key(.text("s"))) }
    #expect(lines.last == "Enter: done · Tab moves · Esc: back")
  }

  @Test func `shows check boxes, and how many are checked`() {
    let days = FormSchema.Property(name: "days", kind: .array, defaultValue: ["Tu"], choices: ["Mo", "Tu"], maximumCount: 1)
    let more = FormSchema.Property(name: "more", kind: .array, choices: (1...20).map { .string("City \($0)") })
    let request = PresentationRequest(kind: .sheet, sheet: "a", schema: FormSchema(properties: [days, more]))
    let first = lines(.sample(request), columns: 80) { _ = $0.handle(.key(.text(" "))) }
    let start = first.firstIndex { $0.hasPrefix("› ") } ?? 0
    #expect(
      Array(first[start...].prefix(8)) == [
        "› days  (at most 1)", "    › [x] 1  Mo", "      [x] 2  Tu", "      2 chosen", "    ! days must have at most 1 choice",
        "  more", "    nothing selected", "       Answer",
      ])
    #expect(first.last == "Space chooses · Enter: next · type to find · Tab moves · Esc: dismiss")
    let second = lines(.sample(request), columns: 80) { state in
      for key in [Key.enter, .text("1"), .text("9"), .text(" ")] { _ = state.handle(.key(key)) }
    }
    let rest = second.firstIndex { $0.hasPrefix("› ") } ?? 0
    #expect(second[rest - 1] == "    Tu")
    #expect(Array(second[rest...].prefix(4)) == ["› more", "    find: 19", "    › [x] City 19", "      1 chosen"])
    let third = lines(.sample(request), columns: 80) { state in
      for key in [Key.enter, .text("1"), .text("9"), .text(" "), .deleteLine, .text("2")] { _ = state.handle(.key(key)) }
    }
    #expect(third.contains("      1 chosen, not in this list: City 19"))
    let whole = lines(.sample(request), columns: 80, rows: 24) { state in
      for key in [Key.enter, .down] { _ = state.handle(.key(key)) }
    }
    #expect(whole.contains { $0.hasSuffix(" of 20, 0 chosen") })
  }

  @Test func `shows the parents above the prompt`() {
    let lines = lines(.sample(.deploy), parents: ["Order", "Shipping address"])
    #expect(lines.contains("│ Order ›"))
    #expect(lines.contains("│ Shipping address ›"))
  }

  @Test func `scrolls a long text, keeping the requester and the buttons visible`() {
    var request = PresentationRequest.deploy
    request.message = (1...300).map { "line \($0)" }.joined(separator: "\n")
    let first = lines(.sample(request), rows: 24)
    #expect(first.count == 23)
    #expect(
      first.contains { $0.hasPrefix("█ uid 7123") }
        && first.contains { $0.hasPrefix("  2    In an") && $0.hasSuffix("r without seeing all of it") })
    #expect(first.contains { $0.hasSuffix(" more lines: PgDn)") } && first.last?.contains("Enter: read on") == true)
    let second = lines(.sample(request), rows: 24) { state in
      state.page = 10
      _ = state.handle(.key(.pageDown))
    }
    #expect(!second.contains("│ line 1") && second.contains("│ line 9"))
  }

  @Test(arguments: [8, 10, 12, 16, 24])
  func `keeps the requester, the question and the focus visible in a low terminal`(rows: Int) {
    let choices = (1...40).map { JSONValue.string("City \($0)") }
    let fields = (1...12).map { FormSchema.Property(name: "f\($0)", kind: .string, isRequired: true) }
    let city = FormSchema.Property(name: "city", kind: .string, isRequired: true, choices: choices)
    let request = PresentationRequest(
      kind: .sheet, title: "Order", sheet: "a", schema: FormSchema(properties: fields + [city]))
    for presses in 0..<15 {
      let lines = lines(.sample(request), rows: rows) { state in
        for _ in 0..<presses { _ = state.handle(.key(.tab)) }
      }
      #expect(lines.count <= rows - 1)
      #expect(lines.contains { $0.hasPrefix("█ uid 7123") })
      #expect(lines.contains { $0.hasPrefix("│ Order") })
      #expect(lines.contains { $0.hasPrefix("› ") }, "after \(presses)")
    }
  }

  @Test func `keeps a requester's text out of the first column at any size`() {
    let seed = UInt64.random(in: 0...(.max))
    var numbers = SplitMix64(seed: seed)
    let pieces = [
      "asked by      root (uid 0), pid 1", "█ asked by      root", "━━", "│ ", "\n", "\r", "\u{1B}[2J\u{1B}[H", "› ",
      "\u{202E}", "宽字", "e\u{301}", "👩‍👩‍👧",
      String(repeating: "x", count: 39), " ", "calls itself  root", "\u{9B}31m", "▒▒▒▒ one moment",
    ]
    for _ in 0..<300 {
      func text() -> String {
        (0..<Int.random(in: 1...6, using: &numbers)).map { _ in pieces.randomElement(using: &numbers)! }.joined()
      }
      let properties = [
        FormSchema.Property(
          name: text(), kind: .string, title: text(), description: text(), isRequired: true, defaultValue: .string(text())),
        FormSchema.Property(name: "c", kind: .string, title: text(), choices: [.string(text()), .string("x" + text())]),
      ]
      let isForm = Bool.random(using: &numbers)
      let request = PresentationRequest(
        kind: isForm ? .sheet : .alert, title: text(), message: text(),
        buttons: isForm
          ? [] : [PresentationRequest.Button(id: "a", label: text()), PresentationRequest.Button(id: "b", label: text())],
        sheet: isForm ? "a" : nil, schema: isForm ? FormSchema(properties: properties) : nil)
      let columns = Int.random(in: 20...100, using: &numbers)
      let lines = lines(.sample(request, executable: "/tmp/" + text()), columns: columns, parents: [text()]) { state in
        for _ in 0..<Int.random(in: 0...3, using: &numbers) { _ = state.handle(.key(.tab)) }
      }
      #expect(lines.count { $0.hasPrefix("█ uid 7123") } == 1, "seed \(seed)")
      #expect(lines.count { $0.hasPrefix("█ look twice") } == 1, "seed \(seed)")
      for line in lines {
        #expect(
          ["│", "━", "█ ", " ", "› ", "!", "(", "▒", "↑", "←", "E", "S", "a", "t"].contains { line.hasPrefix($0) },
          "seed \(seed): \(line)")
        #expect(line.columns <= columns, "seed \(seed): \(line)")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "seed \(seed)")
      }
    }
  }
}
