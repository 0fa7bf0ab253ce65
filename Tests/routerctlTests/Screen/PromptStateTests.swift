import Router
import RouterTesting
import TestSupport
import Testing

@testable import routerctl

// Promise P75.
struct PromptStateTests {
  private func state(_ request: PresentationRequest, typed: [String: String] = [:]) -> PromptState {
    var state = PromptState(.sample(request), waiting: 0, now: Timestamp(milliseconds: 1_700_000_005_000), typed: typed)
    _ = state.handle(.armed)
    // As if all of it were on the screen.
    state.hasSeenAll = true
    return state
  }

  /// Presses keys until one of them produces a response.
  private func press(_ state: inout PromptState, _ keys: Key...) -> PresenterResponse? {
    for key in keys {
      if let response = state.handle(.key(key)) { return response }
    }
    return nil
  }

  private func answer(_ request: PresentationRequest, _ keys: Key...) -> PresenterResponse? {
    var state = state(request)
    for key in keys {
      if let response = state.handle(.key(key)) { return response }
    }
    return nil
  }

  private func form(_ properties: FormSchema.Property...) -> PresentationRequest {
    PresentationRequest(kind: .sheet, sheet: "form", schema: FormSchema(properties: properties))
  }

  // MARK: Buttons

  @Test(arguments: [
    (Key.text("1"), PresenterResponse.answer(.button("deploy"))), (.text("3"), .answer(.button("later"))),
    (.enter, .answer(.button("wait"))), (.escape, .answer(.button("later"))),
  ])
  func `presses buttons with a digit, Enter and Escape`(key: Key, response: PresenterResponse) {
    #expect(answer(.deploy, key) == response)
  }

  @Test func `moves to a button with arrows, and presses it with Enter`() {
    #expect(answer(.deploy, .up, .enter) == .answer(.button("deploy")))
    #expect(answer(.deploy, .tab, .enter) == .answer(.button("later")))
    #expect(answer(.deploy, .end, .enter) == .dismiss)
    #expect(answer(.deploy, .home, .enter) == .answer(.button("deploy")))
  }

  @Test func `puts a prompt off for the chosen time, if it does not expire before`() {
    let request = PresentationRequest.deploy
    #expect(answer(request, .end, .up, .enter) == .snooze(for: .seconds(900)))
    #expect(answer(request, .end, .up, .right, .enter) == .snooze(for: .seconds(3600)))
    #expect(answer(request, .end, .up, .left, .right, .enter) == .snooze(for: .seconds(900)))
    #expect(answer(request, .end, .up, .left, .enter)?.snooze.map { $0 <= .seconds(86_400) } == true)
    var state = state(request)
    let now = Timestamp(milliseconds: 1_700_000_005_000)
    _ = state.handle(.expires(now.advanced(by: .seconds(1800))))
    #expect(state.laterTimes == [.quarter])
    _ = state.handle(.expires(now.advanced(by: .seconds(900))))
    #expect(!state.stops.contains(.row(.later)))
    #expect(press(&state, .end, .up, .enter) != .snooze(for: .seconds(900)))
  }

  @Test(arguments: [
    ("2026-11-26T08:00:00.000Z", 3600), ("2026-11-26T08:59:30.000Z", 86_400), ("2026-11-26T10:00:00.000Z", 82_800),
  ])
  func `puts a prompt off until the next nine o'clock`(now: String, seconds: Int) throws {
    let now = try #require(Timestamp(now))
    #expect(SnoozeTime.morning.duration(from: now, zone: .fixed(secondsEast: 0)) == .seconds(seconds))
  }

  @Test func `selects a button by letter without pressing it`() {
    #expect(answer(.deploy, .text("n")) == nil)
    #expect(answer(.deploy, .text("n"), .enter) == .answer(.button("later")))
    // Deploy and Dismiss start with the same letter.
    #expect(answer(.deploy, .text("d"), .enter) == .dismiss)
    #expect(answer(.deploy, .text("d"), .text("d"), .enter) == .answer(.button("deploy")))
    #expect(answer(.deploy, .paste("1"), .text("9"), .text("0")) == nil)
  }

  @Test func `ignores keys until the prompt is visible`() {
    var state = PromptState(.sample(.deploy), waiting: 0, now: Timestamp(milliseconds: 0))
    state.hasSeenAll = true
    #expect(press(&state, .enter, .text("1"), .escape, .up) == nil)
    #expect(state.focus == .button(1))
    _ = state.handle(.armed)
    #expect(press(&state, .enter) == .answer(.button("wait")))
    _ = state.handle(.disarmed)
    #expect(press(&state, .enter) == nil)
  }

  @Test func `does not press a destructive button with Enter alone`() {
    let buttons = ["a", "b"].map { PresentationRequest.Button(id: $0, label: $0, role: .destructive) }
    let request = PresentationRequest(kind: .alert, title: "?", buttons: buttons)
    var state = state(request)
    #expect(press(&state, .enter) == nil)
    #expect(state.notice != nil)
    #expect(press(&state, .down, .enter) == .answer(.button("a")))
    #expect(answer(request, .escape) == .dismiss)
  }

  @Test func `presses a destructive button with Enter if the program chose it`() {
    var request = PresentationRequest.deploy
    request.buttons[0].isDefault = true
    #expect(answer(request, .enter) == .answer(.button("deploy")))
  }

  @Test func `offers no way to close what needs an answer`() {
    var request = PresentationRequest(kind: .alert, title: "?", buttons: [PresentationRequest.Button(id: "ok", label: "OK")])
    request.dismissDisabled = true
    var state = state(request)
    #expect(state.stops == [.button(0), .row(.comment), .row(.later)])
    #expect(press(&state, .escape) == nil)
    #expect(state.notice == "This prompt cannot be closed: it needs an answer.")
    #expect(press(&state, .enter) == .answer(.button("ok")))

    var form = form(FormSchema.Property(name: "a", kind: .string))
    form.dismissDisabled = true
    #expect(answer(form, .text("x"), .escape, .escape) == nil)
    #expect(answer(form, .text("x"), .escape, .enter) == .answer(.value(["a": "x"])))
  }

  @Test func `Escape leaves a row first, and then answers nothing but the prompt`() {
    let request = PresentationRequest.deploy
    let rows: [PromptState.Stop] = [.row(.comment), .row(.later)]
    for row in rows {
      var state = state(request)
      state.focus = row
      #expect(press(&state, .text(" "), .escape) == nil, "\(row)")
      #expect(state.focus == .button(1))
      let response = press(&state, .escape)
      #expect(response?.answer == .button("later"), "\(row)")
    }
  }

  @Test func `Escape goes back to a list where there is one, and loses no input unasked`() {
    var request = PresentationRequest.deploy
    request.dismissDisabled = true
    var alert = state(request)
    alert.goesBack = true
    #expect(press(&alert, .escape) == nil && alert.isLeft)
    var sheet = state(form(FormSchema.Property(name: "a", kind: .string)))
    sheet.goesBack = true
    #expect(press(&sheet, .text("x"), .escape) == nil && !sheet.isLeft)
    #expect(sheet.notice == "Your input will be lost. Press Escape again to go back.")
    #expect(press(&sheet, .escape) == nil && sheet.isLeft)
  }

  @Test func `answers with a comment, and presses nothing while it is typed`() {
    let typed: [Key] = [.text("s"), .text("1"), .text("?"), .text(" "), .enter]
    var state = state(.deploy)
    for key in typed { #expect(state.handle(.key(key)) == nil) }
    #expect(state.focus == .button(1))
    #expect(state.handle(.key(.escape)) == .answer(.button("later"), comment: "1?"))
    // Escape leaves the comment first.
    #expect(answer(.deploy, .text("s"), .text("x"), .escape) == nil)
    #expect(answer(.deploy, .text("s"), .text("x"), .escape, .end, .enter) == .dismiss(comment: "x"))
    #expect(answer(.deploy, .text("s"), .text(" "), .enter, .text("1")) == .answer(.button("deploy")))
    var long = self.state(.deploy)
    _ = long.handle(.key(.text("s")))
    _ = long.handle(.key(.paste(String(repeating: "x", count: 4_096))))
    _ = long.handle(.key(.text("y")))
    #expect(long.notice == "A comment has at most 4096 bytes.")
    #expect(long.handle(.key(.enter)) == nil && long.handle(.key(.enter))?.comment?.count == 4_096)
    var secret = PresentationRequest.deploy
    secret.sensitive = true
    #expect(!self.state(secret).stops.contains(.row(.comment)))
    let form = form(FormSchema.Property(name: "a", kind: .string))
    #expect(
      answer(form, .text("x"), .tab, .tab, .text("y"), .enter, .enter) == .answer(.value(["a": "x"]), comment: "y"))
  }

  @Test func `a list of more than nine has no default that the program did not choose`() {
    func list(_ count: Int, isDefault: Bool = false) -> PresentationRequest {
      let buttons = (1...count).map {
        PresentationRequest.Button(id: "b\($0)", label: "Choice \($0)", isDefault: isDefault && $0 == 7)
      }
      return PresentationRequest(kind: .confirmationDialog, title: "?", buttons: buttons)
    }
    #expect(answer(list(9), .enter) == .answer(.button("b1")))
    #expect(answer(list(10), .enter) == nil)
    #expect(answer(list(10), .text("1"), .text("0")) == nil)
    #expect(answer(list(10), .down, .enter) == .answer(.button("b1")))
    #expect(answer(list(10, isDefault: true), .enter) == .answer(.button("b7")))
  }

  @Test func `filters many buttons by typing`() {
    let buttons = (1...30).map { PresentationRequest.Button(id: "b\($0)", label: "Choice \($0)") }
    let request = PresentationRequest(kind: .confirmationDialog, title: "?", buttons: buttons)
    #expect(answer(request, .text("e"), .text(" "), .text("2"), .text("7"), .enter) == .answer(.button("b27")))
    #expect(answer(request, .text("x"), .enter) == nil)
    // The first Escape clears the filter.
    #expect(answer(request, .text("x"), .escape) == nil)
    #expect(answer(request, .text("x"), .escape, .escape) == .dismiss)
    #expect(answer(request, .text("x"), .backspace, .text("9"), .enter) == .answer(.button("b9")))
    // A comment can be left although nothing matches.
    for key in [Key.escape, .enter] {
      #expect(answer(request, .text("x"), .tab, key, .escape, .escape) == .dismiss, "\(key)")
    }
  }

  // MARK: Forms

  @Test func `corrects an invalid form`() {
    let name = FormSchema.Property(name: "name", kind: .string, title: "Name", isRequired: true, minimumLength: 2)
    let age = FormSchema.Property(name: "age", kind: .integer)
    var state = state(form(name, age))
    #expect(press(&state, .text("A"), .enter) == nil)
    #expect(state.focus == .field(0))
    #expect(state.fields[0].problem == "Name must have at least 2 characters")
    #expect(press(&state, .text("d"), .text("a"), .enter, .text("x")) == nil)
    #expect(state.fields[0].problem == nil)
    #expect(state.fields[1].problem == "age must be a whole number")
    #expect(press(&state, .backspace, .text("3"), .text("6"), .enter) == .answer(.value(["name": "Ada", "age": 36])))
  }

  @Test func `reports problems on submit, and moves to the first one`() {
    let names = ["a", "b"].map { FormSchema.Property(name: $0, kind: .string, isRequired: true) }
    var state = state(form(names[0], names[1]))
    #expect(press(&state, .tab, .tab, .enter) == nil)
    #expect(state.notice == "2 fields are invalid.")
    #expect(state.focus == .field(0))
    #expect(press(&state, .text("x"), .tab, .text("y"), .enter) == .answer(.value(["a": "x", "b": "y"])))
  }

  @Test func `requires a second Escape to discard typed text`() {
    let request = form(FormSchema.Property(name: "a", kind: .string))
    #expect(answer(request, .escape) == .dismiss)
    #expect(answer(request, .text("x"), .escape) == nil)
    #expect(answer(request, .text("x"), .escape, .escape) == .dismiss)
    #expect(answer(request, .text("x"), .escape, .text("y"), .escape) == nil)
  }

  @Test func `changes and clears toggles and choices with keys`() {
    let gift = FormSchema.Property(name: "gift", kind: .boolean)
    let size = FormSchema.Property(name: "size", kind: .string, defaultValue: "M", choices: ["S", "M", "L"])
    let request = form(gift, size)
    #expect(answer(request, .enter, .enter) == .answer(.value(["size": "M"])))
    #expect(answer(request, .text(" "), .enter, .down, .enter) == .answer(.value(["gift": true, "size": "L"])))
    #expect(answer(request, .text("n"), .enter, .text("1"), .enter) == .answer(.value(["gift": false, "size": "S"])))
    #expect(answer(request, .text("y"), .backspace, .enter, .backspace, .enter) == .answer(.value([:])))
  }

  @Test func `in a long list of buttons digits go to the filter`() {
    let buttons = (1...12).map { PresentationRequest.Button(id: "c\($0)", label: "Item \($0)") }
    let request = PresentationRequest(kind: .confirmationDialog, title: "Which?", buttons: buttons)
    #expect(answer(request, .text("1")) == nil)
    #expect(answer(request, .text("1"), .text("2"), .enter) == .answer(.button("c12")))
  }

  @Test func `filters a long list of choices by typing`() {
    let choices = (1...40).map { JSONValue.string("City \($0)") }
    let request = form(FormSchema.Property(name: "city", kind: .string, isRequired: true, choices: choices))
    var state = state(request)
    #expect(press(&state, .text("y"), .text(" "), .text("3"), .text("3"), .enter) == .answer(.value(["city": "City 33"])))
    #expect(answer(request, .text("q"), .escape, .down, .enter) == .answer(.value(["city": "City 2"])))
  }

  @Test func `Space checks choices, and digits and text find them`() {
    let days = FormSchema.Property(name: "days", kind: .array, choices: ["Mo", "Tu", "We"])
    #expect(answer(form(days), .enter) == .answer(.value(["days": []])))
    #expect(answer(form(days), .down, .text(" "), .up, .text(" "), .enter) == .answer(.value(["days": ["Mo", "Tu"]])))
    #expect(answer(form(days), .text("3"), .text("1"), .text("3"), .enter) == .answer(.value(["days": ["Mo"]])))
    #expect(answer(form(days), .text("w"), .text(" "), .backspace, .enter) == .answer(.value(["days": ["We"]])))
    #expect(answer(form(days), .escape) == .dismiss)
    #expect(answer(form(days), .text(" "), .escape) == nil)
    #expect(answer(form(days), .text(" "), .text(" "), .escape) == .dismiss)
    let choices = (1...40).map { JSONValue.string("City \($0)") }
    let cities = form(FormSchema.Property(name: "cities", kind: .array, isRequired: true, choices: choices, minimumCount: 2))
    var state = state(cities)
    #expect(press(&state, .text("3"), .text("3"), .text(" "), .enter) == nil)
    #expect(state.fields[0].problem == "cities must have at least 2 choices")
    #expect(press(&state, .deleteLine, .text("7"), .text(" "), .enter) == .answer(.value(["cities": ["City 7", "City 33"]])))
    var restored = self.state(cities, typed: state.typed)
    #expect(press(&restored, .enter) == .answer(.value(["cities": ["City 7", "City 33"]])))
    #expect(
      answer(form(FormSchema.Property(name: "a", kind: .array, defaultValue: ["x"], choices: ["x"])), .text(" "), .enter)
        == .answer(.value(["a": []])))
  }

  @Test func `Enter chooses the marked row of a required list, and Tab leaves it open`() {
    let choices = ["Here", "There"].map(JSONValue.string)
    let place = FormSchema.Property(name: "place", kind: .string, isRequired: true, choices: choices)
    #expect(answer(form(place), .enter) == .answer(.value(["place": "Here"])))
    #expect(answer(form(place), .down, .enter) == .answer(.value(["place": "There"])))
    var state = state(form(place, FormSchema.Property(name: "name", kind: .string)))
    #expect(press(&state, .tab, .enter) == nil)
    #expect(state.fields[0].problem == "place is required")
    // What may be left out has no mark before somebody moves to a row.
    let optional = FormSchema.Property(name: "place", kind: .string, choices: choices)
    #expect(answer(form(optional), .enter) == .answer(.value([:])))
  }

  @Test func `accepts any JSON for a sheet without fields`() {
    let request = PresentationRequest(kind: .sheet, sheet: "any")
    #expect(answer(request, .paste("{\"a\":1}"), .enter) == .answer(.value(["a": 1])))
    #expect(answer(request, .text("x"), .enter) == nil)
    #expect(answer(request, .escape) == .dismiss)
    #expect(answer(request, .tab, .tab, .tab, .tab, .enter) == .dismiss)
  }

  @Test func `only closes a sheet without an answer`() {
    var request = PresentationRequest(kind: .sheet, sheet: "done", payload: ["a": 1])
    request.hasAnswer = false
    for key in [Key.enter, .escape] { #expect(answer(request, key) == .dismiss, "\(key)") }
    var state = state(request)
    #expect(state.stops == [.close, .row(.later)])
    // Enter reads on to the end of the text.
    state.hasSeenAll = false
    #expect(press(&state, .enter) == nil)
  }

  @Test func `continues from a form without fields`() {
    #expect(answer(form(), .enter) == .answer(.value([:])))
    #expect(answer(form(), .escape) == .dismiss)
  }

  @Test func `restores typed text, except secrets`() {
    let request = form(FormSchema.Property(name: "a", kind: .string, defaultValue: "old"))
    var again = state(request, typed: ["a": "new"])
    #expect(press(&again, .enter) == .answer(.value(["a": "new"])))
    #expect(again.typed == ["a": "new"])
    let secret = form(FormSchema.Property(name: "pin", kind: .string, format: .password))
    var hidden = state(secret)
    #expect(press(&hidden, .text("1")) == nil)
    #expect(hidden.typed == [:])
  }

  @Test func `survives random keys at any size`() {
    let seed = UInt64.random(in: 0...(.max))
    var numbers = SplitMix64(seed: seed)
    let choices = (1...12).map { JSONValue.string("City \($0)") }
    let requests = [
      .deploy, PresentationRequest(kind: .sheet, sheet: "any"),
      PresentationRequest(
        kind: .confirmationDialog, title: "?",
        buttons: (1...12).map { PresentationRequest.Button(id: "b\($0)", label: "B \($0)") }),
      form(
        FormSchema.Property(name: "name", kind: .string, isRequired: true, minimumLength: 3),
        FormSchema.Property(name: "age", kind: .integer), FormSchema.Property(name: "gift", kind: .boolean),
        FormSchema.Property(name: "city", kind: .string, choices: choices),
        FormSchema.Property(name: "cities", kind: .array, choices: choices, minimumCount: 2),
        FormSchema.Property(name: "pin", kind: .string, format: .password)),
    ]
    let keys: [Key] = [
      .text("a"), .text("1"), .text(" "), .text("\u{301}"), .paste("x\ny"), .enter, .escape, .tab, .backTab, .up, .down, .left,
      .right, .home, .end, .pageUp, .pageDown, .backspace, .delete, .deleteWord, .deleteLine, .redraw,
    ]
    for _ in 0..<400 {
      var state = state(requests.randomElement(using: &numbers)!)
      for _ in 0..<60 {
        guard press(&state, keys.randomElement(using: &numbers)!) == nil else { break }
        let size = ScreenSize(columns: .random(in: 1...130, using: &numbers), rows: .random(in: 1...50, using: &numbers))
        let frame = PromptView(state, size: size, hasColor: false).frame
        state.scroll = frame.scroll
        #expect(frame.lines.count <= max(size.rows, PromptView.minimumRows) - 1, "seed \(seed)")
        if let cursor = frame.cursor {
          #expect(
            frame.lines.indices.contains(cursor.row) && frame.lines[cursor.row].starts(withScalarsOf: cursor.prefix),
            "seed \(seed)")
        }
      }
    }
  }
}

extension String {
  /// Whether the text starts with these scalars, before combining marks are joined.
  fileprivate func starts(withScalarsOf text: String) -> Bool { unicodeScalars.starts(with: text.unicodeScalars) }
}
