import Router
import TestSupport
import Testing

@testable import routerctl

/// What is not on the screen is not answered by Enter, and no label is pressed before it was whole.
/// Promise P74.
struct UnreadPromptTests {
  /// A prompt on a screen, drawn after each key, as by the terminal.
  private struct Shown {
    var state: PromptState
    let size: ScreenSize
    private(set) var lines: [String] = []

    init(_ presentation: Presentation, columns: Int, rows: Int) {
      state = PromptState(presentation, waiting: 0, now: Timestamp(milliseconds: 1_700_000_005_000))
      size = ScreenSize(columns: columns, rows: rows)
      _ = state.handle(.armed)
      draw()
    }

    mutating func draw() {
      let frame = PromptView(state, size: size, hasColor: false).frame
      state.take(frame)
      lines = frame.lines
    }

    /// Presses keys until one of them produces a response.
    mutating func press(_ keys: Key...) -> PresenterResponse? {
      for key in keys {
        if let response = state.handle(.key(key)) { return response }
        // The pause is over.
        _ = state.handle(.armed)
        draw()
      }
      return nil
    }

    /// What is on the screen, without spaces and bars.
    var text: String { lines.joined().filter { !" │›".contains($0) } }
  }

  private enum Content: CaseIterable {
    case command, diff, act, message
  }

  private func request(_ content: Content, lines: Int = 60, isDefaultNo: Bool = false) -> PresentationRequest {
    var request = PresentationRequest(
      kind: .alert, title: "Run it?",
      buttons: [
        PresentationRequest.Button(id: "yes", label: "Yes", isDefault: !isDefaultNo),
        PresentationRequest.Button(id: "no", label: "No", role: .cancel, isDefault: isDefaultNo),
      ])
    let text = (1...lines).map { "echo \($0)" }.joined(separator: "\n")
    switch content {
    case .command: request.attachments = [PresentationRequest.Attachment(.command, text)]
    case .diff:
      request.attachments = [
        PresentationRequest.Attachment(.diff, "@@ -0,0 +1,\(lines) @@\n+" + text.replacing("\n", with: "\n+"))
      ]
    case .act: request.act = Act("Bash", object: text, directory: "/srv")
    case .message: request.message = text
    }
    return request
  }

  @Test(arguments: Content.allCases, [(40, 14), (80, 24)])
  private func `Enter reads on to the end, and only then presses the default`(_ content: Content, size: (Int, Int)) {
    for isDefaultNo in [false, true] {
      var shown = Shown(.sample(request(content, isDefaultNo: isDefaultNo)), columns: size.0, rows: size.1)
      var presses = 0
      while !shown.text.contains("echo60"), presses < 200 {
        #expect(shown.state.focus == nil && !shown.lines.contains { $0.contains("(Enter") })
        #expect(shown.lines.contains { $0.contains("Yes without seeing all of it") })
        #expect(shown.lines.last?.contains("Enter: read on") == true)
        #expect(shown.press(.enter) == nil)
        presses += 1
      }
      #expect(presses > 1 && shown.lines.contains { $0.hasPrefix("› ") && $0.contains("(Enter") })
      #expect(shown.press(.enter) == .answer(.button(isDefaultNo ? "no" : "yes")))
    }
  }

  @Test func `a refusal needs no reading, and a digit presses a button that says what was not seen`() {
    let request = request(.command)
    var shown = Shown(.sample(request), columns: 40, rows: 14)
    #expect(shown.press(.escape) == .answer(.button("no")))
    #expect(shown.press(.text("1")) == .answer(.button("yes")))
    #expect(shown.press(.end, .home) == nil && shown.state.focus == .button(0))
    #expect(shown.press(.enter) == nil && !shown.state.hasSeenAll)
    #expect(shown.press(.down) == nil && shown.state.focus == .button(1))
    #expect(shown.press(.enter) == .answer(.button("no")))
  }

  @Test func `a form is not submitted before its text was on the screen`() {
    var request = request(.command)
    let field = FormSchema.Property(name: "a", kind: .string, defaultValue: "x")
    (request.kind, request.buttons, request.sheet) = (.sheet, [], "form")
    request.schema = FormSchema(properties: [field])
    for keys in [[], [Key.tab]] {
      var shown = Shown(.sample(request), columns: 40, rows: 14)
      for key in keys { _ = shown.press(key) }
      #expect(shown.press(.enter) == nil && shown.state.scroll > 0)
      var response: PresenterResponse?
      for _ in 0..<200 where response == nil {
        #expect(shown.state.hasSeenAll || !shown.text.contains("echo60"))
        response = shown.press(.enter)
      }
      #expect(shown.state.hasSeenAll && response == .answer(.value(["a": "x"])))
    }
  }

  // MARK: Labels

  private func choices(_ labels: [String], default index: Int? = nil) -> PresentationRequest {
    PresentationRequest(
      kind: .confirmationDialog, title: "Which?",
      buttons: labels.enumerated().map { PresentationRequest.Button(id: "b\($0)", label: $1, isDefault: $0 == index) })
  }

  /// A label of 90 characters.
  private static let long =
    "Yes, tidy the build directory of the shop, as the documentation recommends it: DELETE IT ALL"

  @Test func `the default is whole on the screen before Enter presses it`() {
    var shown = Shown(.sample(choices([Self.long, "No"])), columns: 80, rows: 24)
    #expect(shown.text.contains(Self.long.filter { $0 != " " }))
    #expect(shown.press(.enter) == .answer(.button("b0")))
  }

  @Test(arguments: [(40, 14), (80, 24)]) func `two choices that differ in their last words look different`(size: (Int, Int)) {
    let labels = ["in Frankfurt", "in Dublin"].map { String(repeating: "the copy of the database ", count: 5) + $0 }
    for count in [2, 12] {
      let shown = Shown(.sample(choices(labels + (2..<count).map { "\($0)" })), columns: size.0, rows: size.1)
      #expect(shown.text.contains("Frankfurt") && shown.text.contains("Dublin"), "\(count) \(shown.lines)")
    }
  }

  @Test func `a digit marks a choice whose label is cut, and presses it when it is whole`() {
    let labels = (1...9).map { "\($0) " + String(repeating: "word ", count: 14) + "end \($0)" }
    var shown = Shown(.sample(choices(labels, default: 0)), columns: 40, rows: 16)
    #expect(!shown.text.contains(labels[4].filter { $0 != " " }))
    #expect(shown.press(.text("5")) == nil)
    #expect(shown.text.contains(labels[4].filter { $0 != " " }))
    #expect(shown.press(.text("5")) == .answer(.button("b4")))
  }

  @Test func `shows all labels whole with a question mark`() {
    let labels = (1...5).map { "\($0) " + String(repeating: "word ", count: 12) + "end" }
    var shown = Shown(.sample(choices(labels)), columns: 40, rows: 22)
    func whole() -> Int { labels.count { shown.text.contains($0.filter { $0 != " " }) } }
    let before = whole()
    #expect(shown.press(.text("?")) == nil)
    #expect(before < 5 && whole() > before)
  }

  @Test func `shows the marked choice of a list in a form whole, and a field's label`() {
    let options = ["one", "two"].map { JSONValue.string(String(repeating: "the same words ", count: 6) + $0) }
    let field = FormSchema.Property(name: "a", kind: .string, title: Self.long, isRequired: true, choices: options)
    let form = PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: [field]))
    var shown = Shown(.sample(form), columns: 50, rows: 24)
    #expect(
      shown.text.contains(Self.long.filter { $0 != " " }) && shown.text.contains("wordsone") && shown.text.contains("two"))
    _ = shown.press(.down)
    #expect(shown.text.contains("words" + "two"))
  }

  /// Enter presses a button only when all of its label, and all of the text, was drawn before.
  @Test func `Enter answers nothing that was not on the screen, whatever the prompt and the size`() {
    let seed = UInt64.random(in: 0...(.max))
    var numbers = SplitMix64(seed: seed)
    for _ in 0..<300 {
      func label(_ mark: String) -> String {
        let words = (0..<Int.random(in: 0...24, using: &numbers)).map { "\(mark)\($0)" } + ["end" + mark]
        return String(words.joined(separator: " ").prefix(200))
      }
      let count = [1, 2, 3, 9, 12].randomElement(using: &numbers)!
      var request = choices((0..<count).map { label("abcdefghijkl".map(String.init)[$0]) })
      request.message = (0..<Int.random(in: 0...40, using: &numbers)).map { "line\($0)." }.joined(separator: "\n")
      let size = (Int.random(in: 20...100, using: &numbers), Int.random(in: 8...40, using: &numbers))
      var shown = Shown(.sample(request), columns: size.0, rows: size.1)
      var drawn = shown.text
      var isAnswered = false
      let keys: [Key] = [.enter, .enter, .enter, .down, .up, .pageDown, .text("1"), .text("2")]
      for _ in 0..<400 where !isAnswered {
        let key = keys.randomElement(using: &numbers)!
        let (focus, isRead) = (shown.state.focus, shown.state.hasSeenAll)
        if let response = shown.press(key) {
          isAnswered = true
          guard case .button(let id)? = response.answer else { break }
          let button = request.buttons.first { $0.id == id }!
          let pieces = button.label.split(separator: " ")
          // A label that is higher than the screen was drawn in parts.
          #expect(pieces.allSatisfy { drawn.contains($0.filter { $0 != " " }) }, "seed \(seed): \(size) \(button.label)")
          if key == .enter {
            #expect(isRead && focus != nil, "seed \(seed)")
            #expect(
              request.message?.isEmpty != false || request.message!.split(separator: "\n").allSatisfy { drawn.contains($0) },
              "seed \(seed)")
          }
        } else {
          drawn += " " + shown.text
        }
      }
    }
  }
}
