import ArgumentParser
import RouterClient

/// Which daemon to speak to.
struct DaemonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The daemon's socket; $ROUTERD_SOCKET unless given.", valueName: "path"))
  var socket: String?

  func client(app: String? = nil) -> RouterClient {
    RouterClient(socketPath: socket ?? RouterClient.defaultSocketPath(), app: app)
  }
}

/// How results are printed.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one value a line.")
  var json = false
}
