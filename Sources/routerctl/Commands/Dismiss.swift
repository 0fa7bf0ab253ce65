import ArgumentParser
import Router

struct Dismiss: PromptCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Close an open prompt without an answer.",
    discussion: """
      A presenter must be showing it. To end a prompt that waits, use 'routerctl cancel'.

      EXAMPLES
        routerctl dismiss 5f0c1a2b
        routerctl dismiss --last
      """)

  @OptionGroup var target: TargetArgument

  @Option(help: ArgumentHelp("Why, for the requester and the log.", valueName: "text"))
  var comment: String?

  @Option(help: "Fail unless this is the prompt's current generation.")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  var verb: any Verb { Verbs.Dismiss(comment: comment) }
}
