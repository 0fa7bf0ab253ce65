import ArgumentParser

/// Small programs that prompt a person, each in its own terminal: `swift run router-examples order`.
@main
struct RouterExamples: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "router-examples",
    abstract: "Small programs that ask a person.",
    discussion: """
      Each asks in this terminal, with a coordinator in the process. With --daemon it asks the running routerd instead; answer with
      `routerctl present` in another terminal.

      EXAMPLES
        router-examples order
        router-examples delete --daemon
        router-examples player --scripted     answer by a script
      """,
    subcommands: [
      PickingAddress.self, SavingAddress.self, DeletingFile.self, EditingPlayer.self,
      PlacingOrder.self,
    ])
}
