import ArgumentParser
import Glibc
import Router
import RouterClient

struct Cancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel open prompts, and print their ids.",
    discussion: """
      Cancels your own prompts. With the role admin, cancels any user's.

      EXAMPLES
        routerctl cancel 5f0c1a2b
        routerctl cancel --last
        routerctl cancel --app deploy
        routerctl cancel --all
      """)

  @Argument(help: "Prompt ids, or at least 4 characters of their beginnings or ends.")
  var id: [IDArgument] = []

  @Flag(help: "Cancel your newest open prompt.")
  var last = false

  @Option(help: "Cancel all open prompts of this app.")
  var app: String?

  @Flag(help: "Cancel all open prompts.")
  var all = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard [!id.isEmpty, last, app != nil, all].count(where: { $0 }) == 1 else {
      throw ValidationError("Pass one of: ids, --last, --app, --all.")
    }
  }

  func run() async throws {
    let client = daemon.client()
    var ids: [PresentationID] = []
    for argument in last ? [nil] : id.map(Optional.some) {
      let found = try await client.findOpen(argument) { argument != nil || $0.requester.process.uid == getuid() }
      guard let found else {
        throw RouterError(.notFound, "cannot find an open prompt" + (argument.map { " with the id \($0.text)" } ?? " of yours"))
      }
      ids.append(found)
    }
    if app != nil || all {
      // Cancels from the back of the queue, so that no prompt is shown just before it is canceled; children end with their
      // parents.
      ids = try await client.presentations(app: app).map(\.id).reversed()
    }
    for id in ids {
      do {
        let presentation = try await client.cancel(id)
        StandardStream.output.line(output.json ? presentation.jsonText.escapedForTerminal : id.description)
      } catch let error as RouterError where error.code == .resolved && (app != nil || all) {
        // The prompt ended after it was listed.
      }
    }
  }
}
