import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Snooze: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snooze",
    abstract: "Show a prompt later.",
    discussion: """
      It keeps its place in the queue and comes back at its time. Its own timeout runs on.

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

  func run() async throws {
    let client = daemon.client()
    let id = try await target.find(in: client)
    let presentation = try await RouterError.namingOptions {
      end ? try await client.wake(id) : try await client.snooze(id, for: duration.duration, generation: generation)
    }
    if output.json { return StandardStream.output.line(presentation.jsonText.escapedForTerminal) }
    if let until = presentation.snoozedUntil { StandardStream.output.line("Comes back at \(LocalTime.system.text(until)).") }
  }
}
