import ArgumentParser
import Router
import RouterClient

struct Wait: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait for the outcome of a detached prompt.",
    discussion: """
      Prints the answer and exits like the command that asked with --detach. Ctrl-C does not cancel the prompt.

      EXAMPLES
        routerctl wait 01936f5e-1b2c-7def-8a90-112233445566
        id=$(routerctl confirm 'Deploy tonight?' --detach) && routerctl wait "$id"
      """)

  /// The maximum duration of one call; waiting continues with another call.
  private static let turn = Duration.seconds(3600)

  @Argument(help: "Presentation id.")
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
