import ArgumentParser

/// Small programs that prompt a person, each in its own terminal: `swift run router-examples order`.
@main
struct RouterExamples: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "router-examples",
    abstract: "Small programs that ask for things, to read and to play with.",
    discussion: """
      Each shows what it asks for in this terminal, by a coordinator within the process. With --daemon it asks the routerd that
      runs, and `routerctl present` in another terminal answers; the program is the same.

      EXAMPLES
        router-examples order
        router-examples delete --daemon
        router-examples player --scripted     let it answer by itself
      """,
    subcommands: [
      PickingAddress.self, SavingAddress.self, DeletingFile.self, EditingPlayer.self, PlacingOrder.self,
    ])
}
