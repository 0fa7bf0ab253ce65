import ArgumentParser
import Router

struct Raise: PromptCommand {
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

  var verb: any Verb { Verbs.Raise() }
}
