package import RouterCore
package import RouterSystem

/// Shows prompts by appending lines, and reads the answers line by line, from a terminal or a pipe.
package struct LineMode: PromptMode {
  private let input: LineInput
  private let output: StandardStream
  private let style: OutputStyle
  /// Called at the end of the input, when no further answers are possible. Without it, later prompts fail.
  private let inputEnded: (@Sendable () -> Void)?
  private let alike: AlikePrompts
  private let clock: PresentationClock

  package init(
    input: LineInput = LineInput(), output: StandardStream = .output, inputEnded: (@Sendable () -> Void)? = nil,
    clock: PresentationClock = .system, alike: @escaping AlikePrompts = { _ in [] }
  ) {
    self.input = input
    self.output = output
    style = output.style
    self.inputEnded = inputEnded
    self.alike = alike
    self.clock = clock
  }

  package func show(_ state: inout PromptState, _ events: AsyncStream<PromptState.Event>) async throws -> PresenterResponse {
    // Discards input typed before the prompt appeared.
    input.discard()
    if style.isTerminal { output.text("\r\u{1B}[K") }
    if state.waiting > 0 { _ = state.handle(.alike(await alike(state.presentation.id))) }
    if state.isEcho, let notice = state.notice { output.line(style.text(notice, .dim)) }
    for line in PromptText(state, style: style).lines { output.line(line) }
    do {
      if input.isTerminal {
        // A line begun before the prompt appeared does not answer it.
        try await clock.sleep(for: InputGuard.pause)
        input.discard()
      }
      return try await ask(&state)
    } catch is LineInput.End {
      output.text("\n")
      guard let inputEnded else {
        throw RouterError(.unreachable, "standard input ended before the prompt was answered")
      }
      inputEnded()
      // Another showing has replaced this one; waits for the cancellation.
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch is CancellationError {
      input.discard()
      output.text("\n")
      throw CancellationError()
    }
  }

  private func ask(_ state: inout PromptState) async throws -> PresenterResponse {
    var introduced: PromptState.Stop?
    while true {
      let text = PromptText(state, style: style)
      if state.focus != introduced { for line in text.introduction { output.line(line) } }
      introduced = state.focus
      if state.isDetailed {
        for line in text.asker(isDetailed: true) { output.line(line) }
        state.isDetailed = false
      }
      output.text(text.question)
      let isSecret = state.focusedField?.field.control == .secret
      let line = if isSecret { try await input.hiddenLine() } else { try await input.line() }
      if let response = state.enter(line) { return response }
      if let refusal = state.refusal { output.line(style.text("  " + refusal.escapedForTerminal(), OutputStyle.Face.caution)) }
    }
  }

  package func report(_ end: String, of request: PresentationRequest) {
    output.line(style.text(end.escapedForTerminal(), .dim))
    output.line("")
  }

  package func warn(_ text: String) { output.line(style.text(text.escapedForTerminal(), .red)) }
}
