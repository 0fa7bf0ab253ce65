import ArgumentParser
import Router
import RouterClient

/// A command that acts on one open prompt.
protocol PromptCommand: AsyncParsableCommand {
  var target: TargetArgument { get }
  var output: OutputOptions { get }
  var daemon: DaemonOptions { get }
  var verb: any Verb { get }
  /// The generation that the person saw; `nil` for the current one.
  var generation: Int? { get }
  /// Returns the text to print afterward; `nil` to print nothing.
  func words(_ presentation: Presentation) -> String?
}

extension PromptCommand {
  var generation: Int? { nil }
  func words(_ presentation: Presentation) -> String? { nil }

  func run() async throws {
    let client = daemon.client()
    let id = try await target.find(in: client)
    let presentation = try await RouterError.namingOptions {
      try await client.act(verb, on: id, generation: generation)
    }
    if output.json {
      StandardStream.output.line(presentation.jsonText.escapedForTerminal)
    } else if let words = words(presentation) {
      StandardStream.output.line(words)
    }
  }
}
