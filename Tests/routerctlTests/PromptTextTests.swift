import Router
import Testing

@testable import routerctl

struct PromptTextTests {
  private static let style = OutputStyle(isTerminal: true, hasColor: false, width: 40)

  private func prompt(_ presentation: Presentation, waiting: Int = 0) -> PromptText {
    PromptText(PromptState(presentation, waiting: waiting, now: presentation.requestedAt), style: Self.style)
  }

  @Test func `shows the question, the requester and the queue length`() {
    let prompt = prompt(.sample(.deploy), waiting: 3)
    #expect(
      prompt.lines == [
        rule("━━ main ", " 3 queued ━━"),
        "█ uid 7123 · deploy",
        "█ look twice: another user asks: uid",
        "█   7123",
        "│ Deploy 1.4.2?",
        "│",
        "│ 42 commits.",
        "│ Since yesterday.",
        "  1  Deploy  (destructive)",
        "  2  In an hour  (Enter)",
        "  3  Not now",
      ])
    #expect(
      prompt.question == """
        1–3 or first letters, Enter for the
        default, z to snooze (15 min), or :d to
        dismiss (w TEXT says why, ? shows who
        asks):\u{20}
        """)
    #expect(prompt.asker(isDetailed: true).contains("█ program       /usr/bin/deploy"))
  }

  @Test(arguments: [
    "── main ─────────────────\nasked by      root (uid 0), pid 1",
    "x\u{1B}[2J\u{1B}[Hasked by root",
    String(repeating: "x", count: 38) + "asked by      root (uid 0)",
    "\rasked by root",
  ])
  func `keeps a requester's text out of the first column`(hostile: String) {
    var request = PresentationRequest.deploy
    request.title = hostile
    request.message = hostile
    let lines = prompt(.sample(request, executable: "/tmp/" + hostile)).lines
    let ours = lines.filter { !$0.hasPrefix("│") && !$0.hasPrefix("█   ") }
    #expect((6...7).contains(ours.count))
    #expect(ours.filter { $0.hasPrefix("█ uid") }.count == 1)
    for line in lines {
      #expect(line.columns <= 40)
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }
  }

  @Test func `a long message has who asks below it again`() {
    var request = PresentationRequest.deploy
    request.message = String(repeating: "line\n", count: 500)
    let lines = prompt(.sample(request)).lines.dropLast(3)
    #expect(lines.prefix(4) == lines.suffix(4))
    #expect(lines[1].hasPrefix("█ uid 7123"))
  }

  @Test func `shows a field's choices, default and type`() {
    let fields = [
      FormSchema.Property(
        name: "size", kind: .string, title: "Size", description: "Of the shirt.", defaultValue: "M", choices: ["S", "M"]),
      FormSchema.Property(name: "gift", kind: .boolean, defaultValue: true),
      FormSchema.Property(name: "n", kind: .integer),
      FormSchema.Property(
        name: "days", kind: .array, defaultValue: ["Mo", "Tu"], choices: ["Mo", "Tu"], choiceTitles: ["Mon", "Tue"]),
      FormSchema.Property(name: "pin", kind: .string, isRequired: true, defaultValue: "1234", format: .password),
    ]
    let request = PresentationRequest(kind: .sheet, sheet: "order", schema: FormSchema(properties: fields))
    var state = PromptState(.sample(request), waiting: 0, now: Timestamp(milliseconds: 0))
    #expect(PromptText(state, style: Self.style).lines.last == "Enter keeps the value in [brackets]; :d dismisses")
    var texts: [[String]] = []
    for _ in fields {
      let text = PromptText(state, style: Self.style)
      texts.append(text.introduction + [text.question])
      _ = state.enter("")
    }
    #expect(
      texts == [
        ["│ Of the shirt.", "  1  S", "  2  M", "  Size (a number) [M]: "], ["  gift (y/n) [y]: "],
        ["  n (optional, a whole number): "], ["  1  Mon", "  2  Tue", "  days (numbers, or 0 for none) [Mon, Tue]: "],
        ["  pin [unchanged]: "],
      ])
  }

  @Test func `shows labels whole, however long they are`() {
    let (end, long) = (": DELETE IT", String(repeating: "sentence ", count: 20))
    var request = PresentationRequest.deploy
    request.buttons[1].label = long + end
    #expect(joined(prompt(.sample(request)).lines).contains((long + end).filter { $0 != " " }))
    let field = FormSchema.Property(
      name: "a", kind: .string, title: long + end, defaultValue: .string(long + "x"),
      choices: [.string(long + "x"), .string(long + "y")])
    let text = prompt(.sample(PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: [field]))))
    for whole in [long + end, long + "x", long + "y"] {
      #expect(joined(text.introduction).contains(whole.filter { $0 != " " }))
    }
    #expect((prompt(.sample(request)).lines + text.introduction).allSatisfy { $0.columns <= 40 })
  }

  private func joined(_ lines: [String]) -> String { lines.joined().filter { $0 != " " && $0 != "│" } }

  @Test func `offers text that was typed before another prompt covered the form`() {
    let field = FormSchema.Property(name: "a", kind: .string, defaultValue: "old")
    let request = PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: [field]))
    let state = PromptState(.sample(request), waiting: 0, now: Timestamp(milliseconds: 0), typed: ["a": "new"])
    #expect(PromptText(state, style: Self.style).question == "  a [new]: ")
  }

  @Test func `uses colors only if enabled`() {
    var style = Self.style
    #expect(style.text("x", .red) == "x")
    style.hasColor = true
    #expect(style.text("x", .red, .bold) == "\u{1B}[31;1mx\u{1B}[0m")
  }
}

/// Returns a rule of forty columns with two labels.
private func rule(_ left: String, _ right: String) -> String {
  left + String(repeating: "━", count: 40 - left.count - right.count) + right
}
