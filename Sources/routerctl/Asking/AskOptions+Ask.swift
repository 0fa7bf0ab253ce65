import ArgumentParser
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

extension AskOptions {
  /// Asks, waits unless detached, prints the answer as `text` and exits with the status of the outcome. SIGINT, SIGTERM, SIGHUP
  /// and SIGQUIT withdraw the presentation and then end the program by that signal; a second signal ends it immediately.
  ///
  /// - Parameter button: Returns the option of a button, for errors.
  func ask(
    _ request: PresentationRequest, button: (PresentationRequest.Button) -> String = \.option, printsComment: Bool = false,
    text: (PresentationAnswer) -> [UInt8]? = \.scriptText
  ) async throws {
    do {
      try await ask(request, printsComment, text)
    } catch let error as RouterError {
      throw error.naming(request, button)
    }
  }

  private func ask(
    _ request: PresentationRequest, _ printsComment: Bool, _ text: (PresentationAnswer) -> [UInt8]?
  ) async throws {
    SecretBytes.forbidCoreDumps()
    var request = request
    try content.add(to: &request)
    if let over {
      guard let id = try await daemon.client(app: prompt.app, mayStartLater: true).findOpen(over, where: { _ in true }) else {
        throw RouterError(.notFound, "cannot find an open prompt with the id \(over.text) (--over)")
      }
      request.over = id
    }
    if detach {
      let presentation = try await daemon.client(app: prompt.app, mayStartLater: true).detach(
        request, idempotencyKey: idempotencyKey)
      StandardStream.output.line(output.json ? presentation.jsonText.escapedForTerminal : presentation.id.description)
      return
    }
    let inline = prompt.noInline ? nil : InlineAttachment()
    let client = daemon.client(app: prompt.app, mayStartLater: true) { text in
      guard let inline else { return StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }
      inline.terminal.say(text)
    }
    let handle = client.submit(request, idempotencyKey: idempotencyKey)
    defer { Signals.endByReceived() }
    let presentation = try await Signals.whileHandling {
      TerminalModes.restore()
      handle.cancel()
    } perform: {
      try await OutcomeWait(client: client, surface: request.surface, inline: inline, isQuiet: quiet).outcome(of: handle)
    }
    if !quiet, let note = presentation.because?.note(of: presentation) { StandardStream.error.message("routerctl: \(note)") }
    // Ctrl-C needs no explanation.
    if !output.json { Signals.endByReceived() }
    try output.finish(presentation, printsComment: printsComment, text: text)
  }
}

extension Presentation.Authority {
  /// Explains why no person was asked; `nil` if a person was.
  fileprivate func note(of presentation: Presentation) -> String? {
    switch self {
    case .grant(let id): return "answered as remembered (routerctl grants show \(id.short))"
    case .with: return nil
    case .rule(let id, _):
      let isNo = ExitStatus(presentation) != .answered
      // Without an answer, the ending text includes the message.
      let comment = presentation.outcome?.name == .answered ? presentation.comment : nil
      let message = comment.map { ": \($0.escapedForTerminal())" } ?? ""
      return "\(isNo ? "refused" : "allowed") by the rule \(id)\(message)"
    }
  }
}

extension OutputOptions {
  func finish(
    _ presentation: Presentation, printsComment: Bool = false, text: (PresentationAnswer) -> [UInt8]? = \.scriptText
  ) throws {
    if printsComment, !json, let comment = presentation.comment { Self.printVerbatim(Array(comment.utf8)) }
    if json {
      StandardStream.output.line(presentation.jsonText.escapedForTerminal)
    } else if case .answered(let answer) = presentation.outcome {
      if answer == .redacted {
        StandardStream.error.message("routerctl: cannot print the answer: it is sensitive, and only its requester receives it")
      } else if let text = text(answer) {
        Self.printVerbatim(text)
      }
    } else if presentation.outcome != .dismissed || presentation.request.hasAnswer {
      StandardStream.error.message("routerctl: no answer: \(presentation.endText.escapedForTerminal())")
    }
    throw ExitCode(ExitStatus(presentation).rawValue)
  }

  /// Prints a text verbatim for a script; escaped for a terminal.
  private static func printVerbatim(_ text: [UInt8]) {
    guard StandardStream.output.style.isTerminal else { return StandardStream.output.bytes(text + [UInt8(ascii: "\n")]) }
    StandardStream.output.line(String(showing: text).escapedForTerminal(keepsNewlines: true))
  }
}
