import ArgumentParser
import Router
import RouterClient

struct Wait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait for the outcome of a presentation that was asked with --detach.",
    discussion: """
      Prints the answer and exits as the command that asked would have. Ctrl-C ends the waiting, not the presentation.

      EXAMPLES
        routerctl wait 01936f5e-1b2c-7def-8a90-112233445566
        id=$(routerctl confirm 'Deploy tonight?' --detach) && routerctl wait "$id"
      """)

  /// How long one call waits; then the next one does.
  private static let turn = Duration.seconds(3600)

  @Argument(help: "The presentation's id.")
  var id: PresentationID

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let client = daemon.client()
    var presentation = try await client.presentation(id)
    while presentation.state != .resolved {
      presentation = try await client.presentation(id, wait: Self.turn)
    }
    try output.finish(presentation)
  }
}
