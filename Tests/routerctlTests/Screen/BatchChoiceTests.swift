import OrderedCollections
import Router
import Testing

@testable import routerctl

/// The row that gives others the same answer, and what must be read before.
/// Promise P75.
struct BatchChoiceTests {
  private static let buttons = [
    PresentationRequest.Button(id: "allow", label: "Allow"),
    PresentationRequest.Button(id: "deny", label: "Deny", role: .cancel, isDefault: true),
  ]

  private func presentation(_ number: Int, lines: Int = 1) -> Presentation {
    var request = PresentationRequest(kind: .alert, title: "Run it?", buttons: Self.buttons)
    let object = (0..<lines).map { "npm test \(number) \($0)" }.joined(separator: "\n")
    request.act = Act("Bash", object: object, directory: "/home/ada/shop")
    let sample = Presentation.sample(request)
    return Presentation(
      id: PresentationID("01936f5e-1b2c-7def-8a90-00000000000\(number)")!, state: number == 1 ? .presented : .queued,
      generation: number == 1 ? 1 : 0,
      requester: sample.requester, request: request, requestedAt: sample.requestedAt)
  }

  private func state(others: [Presentation]) -> PromptState {
    var state = PromptState(presentation(1), waiting: others.count, now: Timestamp(milliseconds: 1_700_000_005_000))
    _ = state.handle(.alike(others))
    _ = state.handle(.armed)
    draw(&state)
    return state
  }

  /// Draws the state, as the terminal does after each key. Returns the lines.
  @discardableResult private func draw(_ state: inout PromptState, rows: Int = 40) -> String {
    let frame = PromptView(state, size: ScreenSize(columns: 80, rows: rows), hasColor: false).frame
    state.take(frame)
    return frame.lines.joined(separator: "\n")
  }

  /// Presses keys until one of them produces a response, on a terminal of `rows` rows.
  private func press(_ state: inout PromptState, rows: Int = 40, _ keys: Key...) -> PresenterResponse? {
    for key in keys {
      if let response = state.handle(.key(key)) { return response }
      draw(&state, rows: rows)
    }
    return nil
  }

  private func digest(_ presentation: Presentation) -> String? { presentation.request.act?.digest }

  @Test func `shows each of the others in full, and answers all of them`() throws {
    let others = [presentation(2), presentation(3, lines: 3)]
    var state = state(others: others)
    #expect(draw(&state).contains("Also 2 like this: none"))
    #expect(!draw(&state).contains("npm test 2 0"))
    #expect(press(&state, .down, .right) == nil)
    let text = draw(&state)
    #expect(text.contains("‹ all ›"))
    for line in ["npm test 2 0", "npm test 3 0", "npm test 3 1", "npm test 3 2"] { #expect(text.contains("│   \(line)")) }
    let response = try #require(press(&state, .text("1")))
    #expect(response.answer == .button("allow"))
    #expect(response.extra.also.map(\.value) == others.map { digest($0)! })
    #expect(response.summary(of: state.presentation) == "chose Allow, also for 2 more")
  }

  @Test func `answers only the chosen ones`() throws {
    let others = [presentation(2), presentation(3), presentation(4)]
    var state = state(others: others)
    #expect(press(&state, .down, .left, .down, .down, .text(" ")) == nil)
    #expect(draw(&state).contains("choose, 1 of 3"))
    let response = try #require(press(&state, .text("2")))
    #expect(response.answer == .button("deny") && Array(response.extra.also.keys) == [others[1].id])
  }

  @Test func `does not choose what arrives later, and forgets what has ended`() throws {
    var state = state(others: [presentation(2), presentation(3)])
    #expect(press(&state, .down, .right) == nil)
    _ = state.handle(.alike([presentation(3), presentation(4)]))
    #expect(draw(&state).contains("1 of 2"))
    #expect(!draw(&state).contains("npm test 4"))
    let response = try #require(press(&state, .text("1")))
    #expect(Array(response.extra.also.keys) == [presentation(3).id])
    _ = state.handle(.alike([]))
    #expect(!draw(&state).contains("like this"))
    #expect(try #require(press(&state, .text("1"))).extra.also.isEmpty)
  }

  @Test func `permits nothing before the others were read to their end, and refuses at any time`() throws {
    let others = [presentation(2, lines: 60)]
    var state = state(others: others)
    #expect(press(&state, rows: 24, .down, .right, .text("1")) == nil)
    #expect(draw(&state, rows: 24).contains("Read the other prompts to their end first"))
    #expect(press(&state, rows: 24, .up, .up, .enter) == nil && state.scroll > 0)
    let denied = try #require(press(&state, rows: 24, .text("2")))
    #expect(denied.extra.also.count == 1)
    for _ in 0..<10 { _ = press(&state, rows: 24, .pageDown) }
    #expect(draw(&state, rows: 24).contains("npm test 2 59"))
    #expect(try #require(press(&state, rows: 24, .text("1"))).extra.also.count == 1)
  }

  @Test func `Escape leaves the row, and then denies only the prompt that is shown`() throws {
    var state = state(others: [presentation(2)])
    #expect(press(&state, .down, .right) == nil && draw(&state).contains("Also 1 like this: ‹ all ›"))
    #expect(press(&state, .escape) == nil && state.focus == .button(1))
    let denied = try #require(press(&state, .escape))
    #expect(denied.answer == .button("deny") && denied.extra.also.isEmpty)
  }

  @Test func `answers the others line by line too`() throws {
    var state = state(others: [presentation(2)])
    #expect(PromptText(state, style: .prompt).lines.contains { $0.contains("npm test 2 0") })
    #expect(PromptText(state, style: .prompt).question.contains(":a to answer the others above too"))
    // A label begins with this letter.
    #expect(state.enter("a") == nil && state.notice?.contains("“Allow” or the others") == true)
    #expect(state.enter(":a") == nil && state.notice == "Your answer is also for the others above.")
    #expect(state.enter("1")?.extra.also.count == 1)
    #expect(state.enter(":a") == nil)
    #expect(state.enter("1")?.extra.also.isEmpty == true)
  }
}

extension OutputStyle {
  fileprivate static let prompt = OutputStyle(isTerminal: true, hasColor: false, width: 80)
}
