import ArgumentParser
import FoundationEssentials
import Router
import RouterConfiguration

@main
struct Routerd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routerd",
    abstract: "Serve prompts from any program to the person at this machine, one at a time.",
    discussion: """
      Programs ask over HTTP on a Unix socket, and presenters show the prompts. An audit log records every prompt and outcome.

      EXAMPLES
        routerd                                   # run with the defaults
        routerd --config /etc/routerd/other.yaml  # run with another file
        routerd --check                           # print the resolved configuration

      Flags override the environment (ROUTERD_SOCKET, ROUTERD_DATABASE, ROUTERD_LIMITS_TOTAL, …), which overrides the \
      file.
      """,
    version: routerVersion)

  @Option(help: ArgumentHelp("Configuration file; must exist.", valueName: "path"))
  var config: String?

  @Option(help: ArgumentHelp("Unix socket to listen on.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("Database of the audit log.", valueName: "path"))
  var database: String?

  @Flag(help: "Validate the configuration, print the resolved settings, and exit.")
  var check = false

  /// Runs the services on the main thread. Worker threads of libdispatch would wake an idle process once a second.
  static func main() {
    Signals.unblock()
    SQLiteProcess.disableMemoryStatistics()
    CallingThread.run { await main(nil) }
  }

  func run() async throws {
    let load = { @Sendable [config, socket, database] in
      try DaemonConfiguration.load(file: config, socket: socket, database: database)
    }
    let configuration = try load()
    if check {
      print(configuration.yaml)
      let rules = configuration.rules.source
      do {
        try RulesFile(path: rules.path, text: try rules.read().text, configuration.grants.commands)
          .check(configuration.approvers)
      } catch let error as RulesError {
        throw RouterError(.invalid, "cannot use the rules: \(error)")
      }
      for warning in Setting.warnings(ProcessInfo.processInfo.environment) { StandardStream.error.line("routerd: \(warning)") }
    } else {
      try SharedSurfaces.continueWithPostgreSQL(configuration)
      try await Daemon(configuration, reload: load).run()
    }
  }
}
