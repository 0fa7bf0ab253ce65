import ArgumentParser

/// The programs of five documents that Router unites, each in its own terminal: `swift run router-examples order-flow`.
@main
struct RouterExamples: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "router-examples",
    abstract: "Small programs that ask a person, each after a document on prompts in Swift.",
    discussion: """
      Each asks on this terminal. With --daemon it asks the running routerd; answer with `routerctl present` in another terminal.

      EXAMPLES
        router-examples order-flow
        router-examples alert-state --daemon
        router-examples global-sheets --scripted     answer by a script
      """,
    subcommands: [GlobalSheets.self, AlertStates.self, Queryables.self, PlacingOrder.self, AsyncSheets.self])
}
