import ArgumentParser
import Router
import RouterCommandLine

/// `routerctl setup`: sets up Router for a user in one step.
struct Setup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Set up Router for your user, or undo it.",
    discussion: """
      Starts routerd now and at each login (systemd), enables the page, installs shell completions, and starts a presenter with \
      your desktop: zenity windows if zenity is installed, else the page. Prints each step, and does not change existing files. \
      --ssh-agent also installs a unit that asks before your ssh agent uses a key. --undo reverts these steps, except for files that you have changed since. Your log is kept.

      EXAMPLES
        routerctl setup
        routerctl setup --ssh-agent
        routerctl setup --undo
        routerctl doctor          # check the result
      """)

  @Flag(help: "Also ask before your ssh agent uses a key.")
  var sshAgent = false

  @Flag(help: "Undo what setup did.")
  var undo = false

  func run() async throws {
    let paths = DefaultPaths.current
    guard paths.isUser else {
      throw CommandFailure(
        .usage, "cannot set up a daemon for root without a session. Start the system's daemon: systemctl enable --now routerd")
    }
    var setup = UserSetup(paths: paths, record: try SetupRecord(path: paths.stateDirectory + "/setup.json"))
    if undo { try await setup.undo() } else { try await setup.install(sshAgent: sshAgent) }
  }
}
