import Router
import RouterTesting
import Testing

@testable import routerctl

// Promise P74.
@Suite(.timeLimit(.minutes(10)))
struct KeyModeTests {
  /// A presenter with a keyboard, screen and clock controlled by the test.
  private struct Stage {
    let screen = TestScreen()
    let clock = ManualClock(wall: Timestamp(milliseconds: 1_700_000_000_000))
    let keyboard: Keyboard
    let presenter: TerminalPresenter

    init(timeLeft: Duration? = nil) {
      keyboard = Keyboard(clock: clock.clock) {}
      let mode = KeyMode(keyboard: keyboard, screen: screen.screen, clock: clock.clock) { _ in timeLeft }
      presenter = TerminalPresenter(name: "test", mode: mode, clock: clock.clock)
    }

    func type(_ text: String) {
      var parser = KeyParser()
      keyboard.deliver(.keys(parser.feed(text.utf8)))
    }

    /// Waits until all input so far has been handled.
    func settle(_ mark: String = "settled") async {
      keyboard.deliver(.said(mark))
      await screen.until { $0.contains { $0.contains(mark) } && $0.last?.contains(mark) == false }
    }

    /// Shows a presentation, and advances the clock until keys are accepted.
    func present(_ presentation: Presentation, waiting: Int = 0) async throws -> Task<PresenterResponse, any Error> {
      let task = Task { try await presenter.present(presentation, waiting: waiting) }
      await screen.until { $0.last?.contains("one moment") == true }
      try await arm()
      return task
    }

    func arm() async throws {
      // Advancing the clock has no effect until the presenter sleeps.
      try await clock.untilSleeping(2)
      clock.advance(by: InputGuard.longest)
      await screen.until { $0.last?.contains("one moment") == false }
    }
  }

  @Test func `does not take an Enter that follows the one that showed the end`() async throws {
    let stage = Stage()
    var request = PresentationRequest.deploy
    request.attachments = [
      PresentationRequest.Attachment(.command, (1...60).map { "echo \($0)" }.joined(separator: "\n"))
    ]
    let answer = try await stage.present(.sample(request))
    // Somebody holds Enter down.
    for number in 0..<40 {
      stage.type("\r\r\r")
      await stage.settle("\(number)/held.")
      stage.clock.advance(by: .milliseconds(100))
    }
    await stage.settle("end")
    #expect(stage.screen.lines.last?.contains("one moment") == true)
    #expect(stage.screen.lines.contains { $0.contains("echo 60") })
    try await stage.arm()
    stage.type("\r")
    #expect(try await answer.value == .answer(.button("wait")))
  }

  @Test func `draws the prompt, takes a key, and removes it`() async throws {
    let stage = Stage()
    let answer = try await stage.present(.sample(.deploy), waiting: 2)
    #expect(stage.screen.lines.first?.hasSuffix(" 2 queued ━━") == true)
    #expect(stage.screen.bells == 1)
    stage.type("1")
    #expect(try await answer.value == .answer(.button("deploy")))
    #expect(stage.screen.lines == ["│ Deploy 1.4.2?", "you chose Deploy"])
    #expect(stage.screen.isCursorSeen && stage.screen.unknown.isEmpty)
  }

  @Test func `ignores keys pressed before the prompt was shown`() async throws {
    let stage = Stage()
    stage.type("1")
    let task = Task { try await stage.presenter.present(.sample(.deploy), waiting: 0) }
    await stage.screen.until { $0.last?.contains("one moment") == true }
    stage.type("1\r\u{1B}[A")
    await stage.settle()
    try await stage.arm()
    stage.type("2")
    #expect(try await task.value == .answer(.button("wait")))
  }

  @Test func `answers nothing unread while keys arrive ten times a second`() async throws {
    let stage = Stage()
    for number in 1...10 {
      let task = Task { try await stage.presenter.present(.sample(.deploy), waiting: 10 - number) }
      await stage.screen.until { $0.last?.contains("one moment") == true }
      // Somebody types for two seconds and a half.
      for tenth in 0..<25 {
        stage.type("1\r")
        await stage.settle("\(number)/\(tenth).")
        stage.clock.advance(by: .milliseconds(100))
      }
      await stage.settle("\(number) typed")
      #expect(stage.screen.lines.last?.contains("one moment") == true, "\(number)")
      try await stage.arm()
      stage.type("2")
      #expect(try await task.value == .answer(.button("wait")))
    }
  }

  @Test func `Escape that left a form does not deny the next prompt`() async throws {
    let stage = Stage()
    let schema = FormSchema(properties: [FormSchema.Property(name: "a", kind: .string)])
    let form = try await stage.present(.sample(PresentationRequest(kind: .sheet, sheet: "a", schema: schema)))
    stage.type("\u{1B}\u{1B}")
    #expect(try await form.value == .dismiss)
    let next = Task { try await stage.presenter.present(.sample(.deploy), waiting: 0) }
    await stage.screen.until { $0.last?.contains("one moment") == true }
    try await stage.clock.untilSleeping(2)
    stage.clock.advance(by: .milliseconds(900))
    stage.type("\u{1B}\u{1B}")
    await stage.settle()
    try await stage.arm()
    stage.type("1")
    #expect(try await next.value == .answer(.button("deploy")))
  }

  @Test func `scrolls and shows more before keys are accepted`() async throws {
    let stage = Stage()
    let task = Task { try await stage.presenter.present(.sample(.deploy), waiting: 0) }
    await stage.screen.until { $0.last?.contains("one moment") == true }
    stage.type("?")
    await stage.screen.until { $0.contains { $0.hasPrefix("█ asked by") } }
    try await stage.arm()
    stage.type("2")
    _ = try await task.value
  }

  @Test func `removes a withdrawn prompt at once and says why`() async throws {
    let stage = Stage()
    let answer = try await stage.present(.sample(.deploy))
    await stage.presenter.willWithdraw(.sample(.deploy), because: .expired)
    answer.cancel()
    await #expect(throws: CancellationError.self) { try await answer.value }
    #expect(stage.screen.lines == ["│ Deploy 1.4.2?", "withdrawn: it expired"])
    stage.type("1")
    #expect(stage.screen.lines.count == 2)
  }

  @Test func `updates the elapsed and the remaining time`() async throws {
    let stage = Stage(timeLeft: .seconds(120))
    let answer = try await stage.present(.sample(.deploy))
    await stage.screen.until { $0.contains { $0.hasSuffix("expires in 1 min") || $0.hasSuffix("expires in 2 min") } }
    try await stage.clock.untilSleeping()
    stage.clock.advance(by: .seconds(100))
    await stage.screen.until { lines in
      ["17 s", "18 s", "19 s", "20 s"].contains { end in lines.contains { $0 == "asked 1 min ago · expires in " + end } }
    }
    await stage.presenter.waitingCountChanged(to: 7)
    await stage.screen.until { $0.first?.hasSuffix(" 7 queued ━━") == true }
    stage.type("2")
    _ = try await answer.value
  }

  @Test func `restores text typed into a covered form`() async throws {
    let stage = Stage()
    let schema = FormSchema(properties: [
      FormSchema.Property(name: "name", kind: .string), FormSchema.Property(name: "note", kind: .string),
    ])
    let request = PresentationRequest(kind: .sheet, title: "Order", sheet: "order", schema: schema)
    let form = try await stage.present(.sample(request))
    stage.type("Ada")
    await stage.screen.until { $0.contains("    Ada") }
    await stage.presenter.willWithdraw(.sample(request), because: .covered)
    form.cancel()
    await #expect(throws: CancellationError.self) { try await form.value }
    let again = try await stage.present(.sample(request, generation: 2))
    #expect(stage.screen.lines.contains("    Ada"))
    stage.type("\r\r")
    #expect(try await again.value == .answer(.value(["name": "Ada"])))
  }

  @Test func `shows why an answer was refused on the next showing`() async throws {
    let stage = Stage()
    let first = try await stage.present(.sample(.deploy))
    stage.type("1")
    _ = try await first.value
    await stage.presenter.answerRefused(RouterError(.logUnavailable, "cannot write the log"), for: .sample(.deploy))
    let second = try await stage.present(.sample(.deploy))
    #expect(stage.screen.lines.contains("! cannot write the log"))
    stage.type("2")
    _ = try await second.value
  }

  @Test func `redraws a resized window, and ignores keys right after resuming`() async throws {
    let stage = Stage()
    let answer = try await stage.present(.sample(.deploy))
    stage.screen.size = ScreenSize(columns: 40, rows: 12)
    stage.keyboard.deliver(.resized)
    await stage.screen.until { $0.count == 11 && $0.first?.count == 40 }
    stage.keyboard.deliver(.resumed)
    await stage.screen.until { $0.last?.contains("one moment") == true }
    stage.type("1")
    await stage.settle()
    try await stage.arm()
    stage.type("2")
    #expect(try await answer.value == .answer(.button("wait")))
  }

  @Test func `masks a secret`() async throws {
    let stage = Stage()
    let schema = FormSchema(properties: [FormSchema.Property(name: "pin", kind: .string, format: .password)])
    let answer = try await stage.present(.sample(PresentationRequest(kind: .sheet, sheet: "unlock", schema: schema)))
    stage.type("hunter2")
    await stage.screen.until { $0.contains("    •••••••") }
    #expect(!stage.screen.lines.joined().contains("hunter"))
    stage.type("\r")
    #expect(try await answer.value == .answer(.value(["pin": "hunter2"])))
    #expect(stage.screen.lines == ["│ unlock", "you answered"])
  }

  @Test func `does not redraw an answered screen of a flow before the next one`() async throws {
    let stage = Stage()
    let schema = FormSchema(properties: [FormSchema.Property(name: "name", kind: .string)])
    let request = PresentationRequest(kind: .sheet, sheet: "a", schema: schema, flow: true)
    let first = try await stage.present(.sample(request))
    stage.type("Ada\r")
    _ = try await first.value
    let again = Task { try await stage.presenter.present(.sample(request, generation: 2), waiting: 0) }
    try await stage.clock.untilSleeping()
    await stage.presenter.willWithdraw(.sample(request, generation: 2), because: .covered)
    again.cancel()
    await #expect(throws: CancellationError.self) { try await again.value }
    #expect(stage.screen.lines == ["│ a", "you answered"])
  }
}
