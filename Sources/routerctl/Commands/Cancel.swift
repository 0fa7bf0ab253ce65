import ArgumentParser
import Router
import RouterClient

struct Cancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel open prompts, and print their ids.",
    discussion: """
      Cancels your own prompts. Administrators can cancel anybody's.

      EXAMPLES
        routerctl cancel 01936f5e-1b2c-7def-8a90-112233445566
        routerctl cancel --app deploy
        routerctl cancel --all
      """)

  @Argument(help: "Presentation ids.")
  var id: [PresentationID] = []

  @Option(help: "Cancel all open prompts of this app.")
  var app: String?

  @Flag(help: "Cancel all open prompts.")
  var all = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard [!id.isEmpty, app != nil, all].count(where: { $0 }) == 1 else {
      throw ValidationError("Give ids, or --app, or --all.")
    }
  }

  func run() async throws {
    let client = daemon.client()
    var ids = id
    if ids.isEmpty {
      // Cancel from the back of the queue, so that none is shown just before it is canceled; children end with their parents.
      ids = try await client.presentations(app: app).map(\.id).reversed()
    }
    for id in ids {
      do {
        let presentation = try await client.cancel(id)
        StandardStream.output.line(output.json ? presentation.jsonText.escapedForTerminal : id.description)
      } catch let error as RouterError where error.code == .resolved && self.id.isEmpty {
        // It has ended since it was listed.
      }
    }
  }
}
