import OrderedCollections

/// Shows presentations on this program's terminal, and reads the answers line by line from its standard input.
package actor TerminalPresenter: Presenter {
  package nonisolated let name: String
  private let input: LineInput
  private let output: StandardStream
  private let style: OutputStyle
  /// Called at the end of the input, after which nothing can be answered. Without it, presentations fail from then on.
  private let inputEnded: (@Sendable () -> Void)?
  /// Delays showing a flow's sheet again that was just answered here, because the next screen usually follows.
  private let pause: @Sendable () async throws -> Void
  private var withdrawal: Presentation.Withdrawal?
  private var memory = PromptMemory()

  package init(
    name: String, input: LineInput = LineInput(), output: StandardStream = .output,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(400)) },
    inputEnded: (@Sendable () -> Void)? = nil
  ) {
    self.name = name
    self.input = input
    self.output = output
    style = output.style
    self.pause = pause
    self.inputEnded = inputEnded
  }

  package func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    withdrawal = nil
    let isEcho = memory.isEchoed(by: presentation)
    if isEcho { try await pause() }
    // Discard input typed before the prompt appeared.
    input.discard()
    if style.isTerminal { output.text("\r\u{1B}[K") }
    if isEcho { output.line(style.text("— answered; waiting for the program to continue", .dim)) }
    let request = memory.filledIn(presentation)
    let prompt = PromptText(presentation, request: request, waiting: waiting, style: style)
    for line in prompt.lines { output.line(line) }
    do {
      let response = try await ask(request, prompt)
      memory.remember(response, to: presentation)
      say("you ", response.summary(in: presentation.request))
      return response
    } catch is LineInput.End {
      output.text("\n")
      guard let inputEnded else {
        throw RouterError(.unreachable, "standard input ended before the prompt was answered")
      }
      inputEnded()
      // The presentation has moved on; wait for the cancellation that follows.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      throw CancellationError()
    } catch is CancellationError {
      input.discard()
      output.text("\n")
      say("— withdrawn: ", withdrawal?.explanation(of: presentation.request) ?? "this presenter is exiting")
      throw CancellationError()
    }
  }

  package func willWithdraw(_ presentation: Presentation, because reason: Presentation.Withdrawal) {
    withdrawal = reason
  }

  package func answerRefused(_ error: RouterError, for presentation: Presentation) {
    memory.forgetAnswer(to: presentation)
    output.line(style.text(error.message.escapedForTerminal(), .red))
  }

  private func say(_ start: String, _ text: String) {
    output.line(style.text(start + text.escapedForTerminal(), .dim))
    output.line("")
  }

  private func ask(_ request: PresentationRequest, _ prompt: PromptText) async throws -> PresenterResponse {
    if request.kind.hasButtons { return try await askButtons(request.buttons, prompt) }
    guard let schema = request.schema else { return try await askAnything(prompt.prompt.closing) }
    return try await askFields(schema, prompt)
  }

  private func askButtons(_ buttons: [PresentationRequest.Button], _ prompt: PromptText) async throws -> PresenterResponse {
    for line in prompt.buttons { output.line(line) }
    let isDismissDisabled = prompt.prompt.isDismissDisabled
    var keys = buttons.count == 1 ? ["Enter"] : ["1–\(buttons.count)"]
    if buttons.count > 1, buttons.contains(where: \.isDefault) { keys.append("Enter for the default") }
    let toggle = prompt.prompt.suppressionToggle
    var isSuppressed = false
    if toggle != nil { keys.append("s for the toggle") }
    let question = keys.joined(separator: ", ") + (isDismissDisabled ? ": " : ", or d to dismiss: ")
    while true {
      if let toggle { output.line("  s  \(isSuppressed ? "[x]" : "[ ]") " + toggle.escapedForTerminal()) }
      output.text(question)
      let line = try await input.line()
      if toggle != nil, line.trimmingWhiteSpace == "s" {
        isSuppressed.toggle()
        continue
      }
      switch TypedLine(line, buttons: buttons, isDismissDisabled: isDismissDisabled) {
      case .response(let response): return response.suppressing(isSuppressed)
      case .again(let why): output.line(style.text(why, .yellow))
      case .value: continue
      }
    }
  }

  private func askFields(_ schema: FormSchema, _ prompt: PromptText) async throws -> PresenterResponse {
    let closing = prompt.prompt.closing
    let way = prompt.prompt.isDismissDisabled ? "" : "; :\(closing.words.key) \(closing.words.effect)"
    output.line(style.text("Enter keeps the value in [brackets]" + way, .dim))
    var answer: OrderedDictionary<String, JSONValue> = [:]
    for (property, field) in zip(schema.properties, prompt.prompt.fields) {
      for line in prompt.lines(before: field) { output.line(line) }
      guard let value = try await ask(property, prompt.question(field), prompt.prompt) else { return .dismiss }
      answer[property.name] = value
    }
    return .answer(.value(.object(answer)))
  }

  /// Asks for one field until the input is valid. Returns its value, possibly empty; `nil` if the person dismissed the form.
  private func ask(
    _ property: FormSchema.Property, _ question: String, _ prompt: PromptDescription
  ) async throws -> JSONValue?? {
    while true {
      output.text(question)
      let line = property.isSecret ? try await input.hiddenLine() : try await input.line()
      switch TypedLine(line, field: property, closing: prompt.closing, isDismissDisabled: prompt.isDismissDisabled) {
      case .response: return .none
      case .value(let value): return .some(value)
      case .again(let why): output.line(style.text("  " + why.escapedForTerminal(), .yellow))
      }
    }
  }

  private func askAnything(_ closing: PromptDescription.Closing) async throws -> PresenterResponse {
    while true {
      output.text("any JSON, or Enter to \(closing.words.verb): ")
      switch TypedLine(anyJSON: try await input.line(), closing: closing) {
      case .response(let response): return response
      case .again(let why): output.line(style.text(why.escapedForTerminal(), .yellow))
      case .value: continue
      }
    }
  }
}

extension (any Presenter)? {
  /// A presenter for command-line tools: it prints prompts to standard error and reads the answers from standard input. When
  /// standard input ends, presentations fail.
  ///
  /// ```swift
  /// let broker = try await PresentationCoordinator(log: .inMemory(), presenter: .terminal)
  /// ```
  public static var terminal: Self { TerminalPresenter(name: "terminal", output: .error) }
}
