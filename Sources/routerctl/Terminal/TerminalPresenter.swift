import OrderedCollections
import Router

/// Shows presentations in a terminal, one at a time, and reads answers line by line.
actor TerminalPresenter: Presenter {
  nonisolated let name: String
  private let input: LineInput
  private let output: StandardStream
  private let style: OutputStyle
  /// Called at the end of the input, after which nothing can be answered.
  private let inputEnded: @Sendable () -> Void
  /// Delays showing a flow's sheet again that was just answered here, because the next screen usually follows.
  private let pause: @Sendable () async throws -> Void
  private var withdrawal: PresenterEvent.Withdrawal?
  private var memory = PromptMemory()

  init(
    name: String, input: LineInput = LineInput(), output: StandardStream = .output,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(400)) },
    inputEnded: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.input = input
    self.output = output
    style = output.style
    self.pause = pause
    self.inputEnded = inputEnded
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    withdrawal = nil
    let isEcho = memory.isEchoed(by: presentation)
    if isEcho { try await pause() }
    // Discard input typed before the prompt appeared.
    input.discard()
    if style.isTerminal { output.text("\r\u{1B}[K") }
    if isEcho { output.line(style.text("— you answered; it stays until its program goes on", .dim)) }
    let request = memory.filledIn(presentation)
    let prompt = PromptText(presentation, request: request, waiting: waiting, style: style)
    for line in prompt.lines { output.line(line) }
    do {
      let response = try await ask(request, prompt)
      memory.note(response, to: presentation)
      say("you ", response.summary(in: presentation.request))
      return response
    } catch is LineInput.End {
      output.text("\n")
      inputEnded()
      // The presentation has moved on; wait for the cancellation that follows.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      throw CancellationError()
    } catch is CancellationError {
      input.discard()
      output.text("\n")
      say("— withdrawn: ", withdrawal?.explanation(of: presentation.request) ?? "this presenter is leaving")
      throw CancellationError()
    }
  }

  func willWithdraw(_ presentation: Presentation, because reason: PresenterEvent.Withdrawal) {
    withdrawal = reason
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) {
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

  private func askButtons(_ buttons: [PresentationButton], _ prompt: PromptText) async throws -> PresenterResponse {
    for line in prompt.buttons { output.line(line) }
    let question = buttons.count == 1 ? "Enter, or d to dismiss: " : "1–\(buttons.count), or d to dismiss: "
    while true {
      output.text(question)
      switch TypedLine(try await input.line(), buttons: buttons) {
      case .response(let response): return response
      case .again(let why): output.line(style.text(why, .yellow))
      case .value: continue
      }
    }
  }

  private func askFields(_ schema: FormSchema, _ prompt: PromptText) async throws -> PresenterResponse {
    let closing = prompt.prompt.closing
    output.line(style.text("Enter keeps what is in [brackets]; :\(closing.words.key) \(closing.words.effect)", .dim))
    var answer: OrderedDictionary<String, JSONValue> = [:]
    for (property, field) in zip(schema.properties, prompt.prompt.fields) {
      for line in prompt.lines(before: field) { output.line(line) }
      guard let value = try await ask(property, prompt.question(field), closing) else { return .dismiss }
      answer[property.name] = value
    }
    return .answer(.value(.object(answer)))
  }

  /// Asks for one field until the input is valid. Returns its value, possibly empty; `nil` if the person dismissed the form.
  private func ask(
    _ property: FormProperty, _ question: String, _ closing: PromptDescription.Closing
  ) async throws -> JSONValue?? {
    while true {
      output.text(question)
      let line = property.isSecret ? try await input.hiddenLine() : try await input.line()
      switch TypedLine(line, field: property, closing: closing) {
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

extension PresenterResponse {
  /// Describes the response without revealing secrets.
  func summary(in request: PresentationRequest) -> String {
    switch self {
    case .dismiss: PromptDescription(request).closing.words.deed
    case .answer(.button(let id)): "chose \(request.buttons.first { $0.id == id }?.label ?? id)"
    case .answer(.value), .answer(.redacted): "answered"
    }
  }
}

extension PresenterEvent.Withdrawal {
  /// Explains why a prompt was withdrawn.
  func explanation(of request: PresentationRequest) -> String {
    switch self {
    case .answered where request.flow: "it was answered elsewhere, or its program is done with it"
    case .answered: "it was answered elsewhere"
    case .dismissed: "it was dismissed elsewhere"
    case .cancelled: "it is no longer wanted"
    case .expired: "its time was up"
    case .failed: "another presenter could not show it"
    case .covered: "something is stacked on it; it comes back"
    case .disconnected: "routerd went away; it comes back if it is still wanted"
    }
  }
}
