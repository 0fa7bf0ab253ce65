import ArgumentParser
import Router
import RouterCommandLine

struct Snooze: PromptCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Snooze a prompt: show it later.",
    discussion: """
      It keeps its queue position and comes back at its time. Its own timeout keeps running.

      EXAMPLES
        routerctl snooze 5f0c1a2b --for 15m
        routerctl snooze --last --for 1h
        routerctl snooze 5f0c1a2b --end
      """)

  @OptionGroup var target: TargetArgument

  @Option(name: .customLong("for"), help: ArgumentHelp("How long, from 10s to 24h.", valueName: "duration"))
  var duration = DurationArgument(duration: .seconds(900))

  @Flag(help: "End the snooze now.")
  var end = false

  @Option(help: "Fail unless this is the prompt's current generation.")
  var generation: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  var verb: any Verb { end ? Verbs.Wake() : Verbs.Snooze(for: duration.duration) }

  func words(_ presentation: Presentation) -> String? {
    presentation.snoozedUntil.map { "Comes back at \(LocalTime.system.text($0))." }
  }
}
