import ArgumentParser
import Router
import RouterClient

struct Dismiss: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Close an open prompt without an answer.",
    discussion: """
      EXAMPLES
        routerctl dismiss 01936f5e-1b2c-7def-8a90-112233445566
      """)

  @Argument(help: "Presentation id, as 'routerctl queue' prints it.")
  var id: PresentationID

  @Option(help: "Fail unless this is the current generation (showing).")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let presentation = try await daemon.client().dismiss(id, generation: generation)
    if output.json { StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
  }
}
