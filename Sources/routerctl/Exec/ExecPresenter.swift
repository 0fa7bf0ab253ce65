import Router

/// Passes each presentation to a command as JSON, and reads the answer. A form with mistakes goes to the command again.
actor ExecPresenter: Presenter {
  /// How often a form goes to the command in one showing; more than that is no person's doing.
  static let maximumTries = 100

  nonisolated let name: String
  private let command: ShellCommand
  /// Why the last answer was refused, and to which showing: asking the command again would give the same.
  private var refusal: (showing: Showing, error: RouterError)?
  /// What the command answered to, of a flow: asking it again at once would give the same, and again.
  private var memory = PromptMemory()

  private struct Showing: Equatable {
    let id: PresentationID
    let generation: Int

    init(_ presentation: Presentation) {
      (id, generation) = (presentation.id, presentation.generation)
    }
  }

  init(name: String, command: String) {
    self.name = name
    self.command = ShellCommand(command: command)
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    if let refusal, refusal.showing == Showing(presentation) {
      throw ExecFailure("the answer of the presenter's command was refused: \(refusal.error.message)")
    }
    if memory.isEchoed(by: presentation) { try await untilCancelled() }
    let response = try await ask(presentation)
    memory.note(response, to: presentation)
    return response
  }

  private func ask(_ presentation: Presentation) async throws -> PresenterResponse {
    var input = ExecInput(presentation, request: memory.filledIn(presentation))
    for _ in 0..<Self.maximumTries {
      let result = try await command.run(input: input.jsonText.bytes + Array("\n".utf8))
      try Task.checkCancellation()
      switch try ExecAnswer(result, to: presentation.request) {
      case .response(let response): return response
      case .typed(let texts):
        guard let schema = presentation.request.schema else {
          throw ExecFailure("the presenter's command filled in a form where there is none")
        }
        do {
          let (answer, problems) = try schema.read(typed: texts)
          if let answer { return .answer(.value(answer)) }
          input.again = (texts, problems)
        } catch {
          throw ExecFailure("the presenter's command filled in what is not asked for: \(error)")
        }
      }
    }
    throw ExecFailure("the presenter's command filled in the form wrongly \(Self.maximumTries) times")
  }

  private func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    memory.forgetAnswer(to: presentation)
    StandardStream.error.line("routerctl: \(error.message.escapedForTerminal())")
    guard error.code == .logUnavailable else {
      refusal = (Showing(presentation), error)
      return
    }
    // Nothing has changed; the command is asked again when the log may be writable.
    try? await Task.sleep(for: error.retryAfter ?? .seconds(1))
  }
}
