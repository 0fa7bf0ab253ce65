import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct Off: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Switch Router off: agents ask by themselves, and other programs use their fallbacks.",
    discussion: """
      While Router is off, nothing is shown. Front ends act as if Router were not installed: agents ask in their own way, dialogs run \
      the real programs, keys sign without a question, and askpass uses its fallback or fails. What they had asked ends as cancelled, \
      off. The prompts of 'routerctl confirm' and of other programs wait.

      Two things stay: PAM still refuses what router-pam should confirm, and prompts on shared surfaces go on, since people of other \
      hosts answer them.

      Requires the role admin, which you have for your own daemon. An agent and the programs it started are refused.

      EXAMPLES
        routerctl off
        routerctl off --for 10m
        routerctl on
      """)

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long, from 10s to 24h (default: 24h).", valueName: "duration"))
  var duration: DurationArgument?

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    StandardStream.output.line("Router is \(try await daemon.client().turn(off: true, for: duration?.duration).words()).")
  }
}

struct On: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Switch Router on again.",
    discussion: """
      EXAMPLES
        routerctl on
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    StandardStream.output.line("Router is \(try await daemon.client().turn(off: false).words()).")
  }
}

extension Switch {
  /// The state after "Router is", such as `off until 10:15, by anna`.
  func words(now: Timestamp = PresentationClock.system.wall()) -> String {
    guard isOff else { return "on" }
    let end = until.map { " until \(LocalTime.system.minutes($0, now: now))" } ?? ""
    return "off\(end)" + (by.map { ", by \(UserNames.system[$0.process.uid].escapedForTerminal())" } ?? "")
  }
}
