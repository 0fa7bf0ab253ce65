import ArgumentParser
import Router
import RouterClient

struct Raise: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "raise",
    abstract: "Show a waiting prompt now.",
    discussion: """
      The shown prompt goes back to the head of the queue.

      EXAMPLES
        routerctl raise 5f0c1a2b
        routerctl raise --last
      """)

  @OptionGroup var target: TargetArgument
  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let client = daemon.client()
    let presentation = try await client.raise(try await target.find(in: client))
    if output.json { StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
  }
}
