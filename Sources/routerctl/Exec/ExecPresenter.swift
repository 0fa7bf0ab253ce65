import Router

/// Passes each presentation to a command as JSON and reads the answer. Runs the command again if a form has invalid fields.
actor ExecPresenter: Presenter {
  /// The maximum number of runs of the command for one showing; more suggest a loop.
  static let maximumTries = 100

  nonisolated let name: String
  private let command: ShellCommand
  /// Rejected answers and flow answers: running the command again immediately would give the same result.
  private var memory = PromptMemory()

  init(name: String, command: String) {
    self.name = name
    self.command = ShellCommand(command: command)
  }

  func present(_ presentation: Presentation, waiting: Int) async throws -> PresenterResponse {
    if let refusal = memory.refusal(of: presentation) {
      throw ExecFailure("routerd refused the answer of the presenter's --exec command: \(refusal)")
    }
    if memory.isEchoed(by: presentation) { try await untilCancelled() }
    let response = try await ask(presentation)
    memory.remember(response, to: presentation)
    return response
  }

  private func ask(_ presentation: Presentation) async throws -> PresenterResponse {
    var input = ExecInput(presentation, request: memory.filledIn(presentation))
    for _ in 0..<Self.maximumTries {
      let result = try await command.run(input: input.jsonText.bytes + Array("\n".utf8))
      try Task.checkCancellation()
      switch try ExecAnswer(result, to: presentation.request) {
      // A closed window is not an answer; only the command can show the prompt again.
      case .response(.dismiss) where presentation.request.dismissDisabled: continue
      case .response(let response): return response
      case .typed(let texts):
        guard let schema = presentation.request.schema else {
          throw ExecFailure("the presenter's --exec command printed \"typed\", but the prompt has no form")
        }
        do {
          let (answer, problems) = try schema.read(typed: texts)
          if let answer { return .answer(.value(answer)) }
          input.again = (texts, problems)
        } catch {
          throw ExecFailure("the presenter's --exec command printed \"typed\" with an invalid field: \(error)")
        }
      }
    }
    throw ExecFailure("the presenter's --exec command gave an invalid answer \(Self.maximumTries) times")
  }

  private func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    memory.forgetAnswer(to: presentation)
    StandardStream.error.line("routerctl: \(error.message.escapedForTerminal())")
    guard error.code == .logUnavailable else {
      memory.remember(presentation)
      memory.remember(refusal: error.message, of: presentation)
      return
    }
    // The presentation is unchanged; retries when the log may be writable again.
    try? await Task.sleep(for: error.retryAfter ?? .seconds(1))
  }
}
