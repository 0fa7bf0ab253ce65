import ArgumentParser
import Router
import RouterClient
import RouterCommandLine

struct DaemonOptions: PlainArguments {
  @Option(help: ArgumentHelp("The daemon's socket (default: $ROUTERD_SOCKET).", valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait for a daemon that is restarting (default: 30s; unlimited for 'present').", valueName: "time"))
  var patience: DurationArgument?

  mutating func read(_ line: inout PlainOptions) {
    (socket, patience) = (line.value("--socket"), line.value("--patience"))
  }

  static func say(_ text: String) { StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }

  /// Starts the user's daemon where a program has to, unless another socket is named. Returns false, and says why, if it does not
  /// start.
  @discardableResult
  func startDaemon(_ say: (String) -> Void = DaemonOptions.say) -> Bool {
    guard socket == nil else { return true }
    do { try UserDaemon.startIfNeeded(say: say) } catch {
      say(error.message)
      return false
    }
    return true
  }

  /// Creates a client that reports when it waits for a lost daemon, for `patience` by default (`nil`: without limit).
  ///
  /// - Parameter mayStartLater: Whether to start the user's daemon if it does not run, and to also wait for another one that has
  ///   run before.
  func client(
    app: String? = nil, patience: Duration? = ReconnectPolicy().patience, mayStartLater: Bool = false,
    say: @escaping @Sendable (String) -> Void = DaemonOptions.say
  ) -> RouterClient {
    let mayRun = !mayStartLater || startDaemon(say)
    let path = socket ?? RouterClient.defaultSocketPath()
    let reconnect = ReconnectPolicy(
      patience: self.patience?.duration ?? patience,
      waitsForDaemon: mayStartLater && mayRun && DefaultPaths.current.hasTraces(of: socket))
    return RouterClient(socketPath: path, app: app, reconnect: reconnect) { change in
      switch change {
      case .lost: say("waiting for routerd at \(path)")
      case .back: say("reconnected to routerd")
      }
    }
  }
}

struct OutputOptions: PlainArguments {
  @Flag(help: "Print JSON, one value per line.")
  var json = false

  mutating func read(_ line: inout PlainOptions) { json = line.flag("--json") }
}
