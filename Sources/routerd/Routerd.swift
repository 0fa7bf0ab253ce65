import ArgumentParser
import Router

@main
struct Routerd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routerd",
    abstract: "Shows one prompt at a time to the person at this machine, for every program that asks.",
    discussion: """
      Programs ask over HTTP on a Unix socket; presenters show; every presentation and its outcome is in an audit log.

      EXAMPLES
        routerd                                   serve with the defaults
        routerd --config /etc/routerd/other.yaml  serve with another file
        routerd --check                           print the configuration as resolved

      A flag goes before the environment (ROUTERD_SOCKET, ROUTERD_DATABASE, ROUTERD_LIMITS_TOTAL, …), the environment
      before the file, the file before the defaults.
      """,
    version: Daemon.version)

  @Option(help: ArgumentHelp("The configuration file; it must exist.", valueName: "path"))
  var config: String?

  @Option(help: ArgumentHelp("Where to listen.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("The audit log's database.", valueName: "path"))
  var database: String?

  @Flag(help: "Validate the configuration, print it as resolved, and exit.")
  var check = false

  /// Runs the services on the main thread: libdispatch then has no workers, whose pool would wake an idle process once a second.
  static func main() {
    CallingThread.run { await main(nil) }
  }

  func run() async throws {
    let load = { @Sendable [config, socket, database] in
      try DaemonConfiguration.load(file: config, socket: socket, database: database)
    }
    let configuration = try load()
    if check {
      print(configuration.yaml)
    } else {
      try await Daemon(configuration, reload: load).run()
    }
  }
}
