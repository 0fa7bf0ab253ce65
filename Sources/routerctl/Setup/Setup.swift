import ArgumentParser
import Router

/// `routerctl setup`: turns Router on for a user in one step.
struct Setup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Turn Router on for you, or off again.",
    discussion: """
      Starts routerd now and at each login (systemd), turns the page on, installs the shells' completions, and has a presenter \
      start with your desktop: zenity windows if zenity is installed, else the page. Prints each thing it does, and does not change \
      files that exist. --undo takes back what setup did, except for files that you have changed since. Your log stays.

      EXAMPLES
        routerctl setup
        routerctl setup --undo
        routerctl doctor          # check the result
      """)

  @Flag(help: "Take back what setup did.")
  var undo = false

  func run() async throws {
    let paths = DefaultPaths.current
    guard paths.isUser else {
      throw CommandFailure(
        .usage, "cannot set up a user's daemon for root without a session. For the system's: systemctl enable --now routerd")
    }
    var setup = UserSetup(paths: paths, record: try SetupRecord(path: paths.stateDirectory + "/setup.json"))
    if undo { try await setup.undo() } else { try await setup.install() }
  }
}
