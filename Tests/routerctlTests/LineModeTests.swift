import Glibc
import Router
import RouterCommandLine
import RouterTesting
import Testing

@testable import routerctl

@Suite(.timeLimit(.minutes(10)))
struct LineModeTests {
  /// Runs a presenter with pipes for keyboard and screen.
  private func withPresenter(
    clock: PresentationClock = .system,
    _ body: (TerminalPresenter, _ type: (String) -> Void) async throws -> Void
  ) async throws -> String {
    let (keyboard, screen) = (try Pipe(), try Pipe())
    let presenter = Self.presenter(keyboard, screen, clock: clock) {}
    defer { close(keyboard.readEnd) }
    try await body(presenter) { StandardStream(descriptor: keyboard.writeEnd).text($0) }
    close(keyboard.writeEnd)
    close(screen.writeEnd)
    return String(decoding: screen.readAll(keeping: 1 << 20), as: UTF8.self)
  }

  private static func presenter(
    _ keyboard: Pipe, _ screen: Pipe, clock: PresentationClock = .system, inputEnded: (@Sendable () -> Void)? = nil
  ) -> TerminalPresenter {
    let mode = LineMode(
      input: LineInput(descriptor: keyboard.readEnd), output: StandardStream(descriptor: screen.writeEnd),
      inputEnded: inputEnded)
    return TerminalPresenter(name: "test", mode: mode, clock: clock)
  }

  @Test func `presses a button by its number, after an invalid line`() async throws {
    let shown = try await withPresenter { presenter, type in
      type("9\n2\n")
      let response = try await presenter.present(.sample(.deploy), waiting: 0)
      #expect(response == .answer(.button("wait")))
    }
    #expect(shown.contains("│ Deploy 1.4.2?\n"))
    #expect(shown.contains("type a number from 1 to 3, or :d to dismiss\n"))
    #expect(shown.hasSuffix("you chose In an hour\n\n"))
  }

  @Test func `asks for a form field by field`() async throws {
    let request = PresentationRequest(
      kind: .sheet, sheet: "order",
      schema: FormSchema(properties: [
        FormSchema.Property(name: "name", kind: .string, isRequired: true),
        FormSchema.Property(name: "note", kind: .string),
        FormSchema.Property(name: "size", kind: .string, defaultValue: "M", choices: ["S", "M"]),
        FormSchema.Property(name: "pin", kind: .string, format: .password),
      ]))
    let shown = try await withPresenter { presenter, type in
      type("\nAda\n\n\n1234\n")
      let response = try await presenter.present(.sample(request), waiting: 0)
      #expect(response == .answer(.value(["name": "Ada", "size": "M", "pin": "1234"])))
    }
    #expect(shown.contains("  name is required\n"))
    #expect(!shown.contains("1234"))
  }

  @Test func `dismisses a form at a later field`() async throws {
    let request = PresentationRequest(
      kind: .sheet, sheet: "a",
      schema: FormSchema(properties: [
        FormSchema.Property(name: "a", kind: .string), FormSchema.Property(name: "b", kind: .string),
      ]))
    _ = try await withPresenter { presenter, type in
      type("x\n:d\n")
      let response = try await presenter.present(.sample(request), waiting: 0)
      #expect(response == .dismiss)
    }
  }

  /// Returns the root of a flow, or one of its screens.
  private func screen(over parent: PresentationID? = nil) -> PresentationRequest {
    let form = FormSchema(properties: [FormSchema.Property(name: "name", kind: .string)])
    return PresentationRequest(kind: .sheet, sheet: "a", schema: form, over: parent, flow: true)
  }

  @Test func `leaves a flow's root, and goes back from its screens`() async throws {
    let shown = try await withPresenter { presenter, type in
      type(":q\n:b\n\n")
      let root = Presentation.sample(screen())
      let open = PresentationRequest(kind: .sheet, sheet: "open", over: root.id, flow: true)
      for presentation in [root, .sample(screen(over: root.id)), .sample(open)] {
        let response = try await presenter.present(presentation, waiting: 0)
        #expect(response == .dismiss)
      }
    }
    let words = [":q leaves", "you left", "│ a ›", ":b goes back", "you went back", "any JSON, or Enter to go back: "]
    for text in words { #expect(shown.contains(text), "\(text)") }
  }

  @Test func `closes a sheet without an answer with Enter, and continues from a form without fields`() async throws {
    let shown = try await withPresenter { presenter, type in
      type("w why\n\n\n")
      var request = PresentationRequest(kind: .sheet, title: "Done", sheet: "done", payload: ["a": 1])
      request.hasAnswer = false
      var response = try await presenter.present(.sample(request), waiting: 0)
      #expect(response == .dismiss)
      (request.hasAnswer, request.schema) = (true, FormSchema(properties: []))
      response = try await presenter.present(.sample(request), waiting: 0)
      #expect(response == .answer(.value([:])))
    }
    for text in ["Enter to close: ", "press Enter to close", "you closed it", "Enter to continue, or d to dismiss: "] {
      #expect(shown.contains(text), "\(text)")
    }
    #expect(!shown.contains("\"a\""))
  }

  @Test(arguments: [false, true])
  func `fills in the previous answer, unless it was sensitive`(isSensitive: Bool) async throws {
    var request = screen()
    request.sensitive = isSensitive
    let (first, second) = (Presentation.sample(request), Presentation.sample(request, generation: 2))
    let shown = try await withPresenter { presenter, type in
      type("Ada\n\n")
      let answer = try await presenter.present(first, waiting: 0)
      #expect(answer == .answer(.value(["name": "Ada"])))
      let again = try await presenter.present(second, waiting: 0)
      #expect(again == .answer(.value(isSensitive ? [:] : ["name": "Ada"])))
    }
    #expect(shown.contains("name [Ada]: ") != isSensitive)
  }

  @Test func `does not show an answered screen again before the next one`() async throws {
    let clock = ManualClock()
    let shown = try await withPresenter(clock: clock.clock) { presenter, type in
      type("Ada\n")
      _ = try await presenter.present(.sample(screen()), waiting: 0)
      let again = Task { try await presenter.present(.sample(screen(), generation: 2), waiting: 0) }
      try await clock.untilSleeping()
      await presenter.willWithdraw(.sample(screen(), generation: 2), because: .covered)
      again.cancel()
      await #expect(throws: CancellationError.self) { try await again.value }
    }
    #expect(shown.split(separator: "\n").count { $0.hasPrefix("█ uid") } == 1)
    #expect(!shown.contains("withdrawn"))
  }

  @Test func `says why a prompt was withdrawn`() async throws {
    let shown = try await withPresenter { presenter, type in
      let presenting = Task { try await presenter.present(.sample(.deploy), waiting: 0) }
      await presenter.willWithdraw(.sample(.deploy), because: .expired)
      presenting.cancel()
      await #expect(throws: CancellationError.self) { try await presenting.value }
    }
    #expect(shown.contains("withdrawn: "))
  }

  @Test func `does not take the end of input as an answer`() async throws {
    let keyboard = try Pipe()
    let screen = try Pipe()
    let (ended, end) = AsyncStream<Void>.makeStream()
    let presenter = Self.presenter(keyboard, screen) { end.yield() }
    close(keyboard.writeEnd)
    let presenting = Task { try await presenter.present(.sample(.deploy), waiting: 0) }
    _ = await ended.first { true }
    presenting.cancel()
    await #expect(throws: CancellationError.self) { try await presenting.value }
    for descriptor in [keyboard.readEnd, screen.readEnd, screen.writeEnd] { close(descriptor) }
  }

  @Test func `fails at the end of input if nobody else could answer`() async throws {
    let (keyboard, screen) = (try Pipe(), try Pipe())
    close(keyboard.writeEnd)
    let presenter = Self.presenter(keyboard, screen)
    let broker = try await PresentationCoordinator(log: .inMemory(), presenter: presenter)
    let outcome = try await broker.submit(PresentationRequest(kind: .alert, title: "Delete?")).outcome()
    #expect(outcome == .failed("standard input ended before the prompt was answered"))
    await broker.shutDown()
    for descriptor in [keyboard.readEnd, screen.readEnd, screen.writeEnd] { close(descriptor) }
  }
}
