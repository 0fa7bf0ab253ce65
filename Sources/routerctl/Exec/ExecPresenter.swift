import Router

/// Hands each presentation to a command: as JSON on its standard input; its standard output is the answer.
actor ExecPresenter: Presenter {
  nonisolated let name: String
  private let command: ShellCommand
  /// Why the last answer was refused, and to which showing: asking the command again would give the same.
  private var refusal: (showing: Showing, error: RouterError)?
  /// What the command answered to, of a flow: asking it again at once would give the same, and again.
  private var given = GivenAnswers()

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
    if given.isEchoed(by: presentation) { try await untilCancelled() }
    let result = try await command.run(input: presentation.json.bytes + Array("\n".utf8))
    try Task.checkCancellation()
    let response = try ExecAnswer.response(result, to: presentation.request)
    given.note(response, to: presentation)
    return response
  }

  private func untilCancelled() async throws {
    while true { try await Task.sleep(for: .seconds(3600)) }
  }

  func answerRefused(_ error: RouterError, for presentation: Presentation) async {
    given.forget(presentation)
    StandardStream.error.line("routerctl: \(error.message.escapedForTerminal())")
    guard error.code == .logUnavailable else {
      refusal = (Showing(presentation), error)
      return
    }
    // Nothing has changed; the command is asked again when the log may be writable.
    try? await Task.sleep(for: error.retryAfter ?? .seconds(1))
  }
}
