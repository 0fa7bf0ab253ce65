import ArgumentParser
import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// `routerctl ssh-agent`: asks before the user's ssh agent uses a key.
package struct SSHAgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssh-agent",
    abstract: "Ask before your ssh agent uses a key.",
    discussion: """
      Runs until stopped, in front of your agent. Passes every message on unchanged, except requests to sign: a prompt names the \
      key, the host or the kind of signature, and the program that asks. Without an answer, the request fails. Programs use it \
      when SSH_AUTH_SOCK is its socket; 'routerctl setup --ssh-agent' installs a unit for it.

      ENVIRONMENT
        SSH_AUTH_SOCK    the default of --upstream
        ROUTER_TIMEOUT   seconds to wait for an answer (default: 300)

      EXAMPLES
        routerctl ssh-agent
        routerctl ssh-agent --upstream ~/.ssh/agent --listen ~/.ssh/asking/agent
      """)

  @Option(help: ArgumentHelp("Socket of your agent (default: $SSH_AUTH_SOCK).", valueName: "path"))
  var upstream: String?

  @Option(help: ArgumentHelp("Socket to create (default: $XDG_RUNTIME_DIR/router-ssh-agent.sock).", valueName: "path"))
  var listen: String?

  @Option(help: ArgumentHelp("Disconnect if your agent does not reply within this time.", valueName: "time"))
  var upstreamTimeout = DurationArgument(duration: .seconds(120))

  @Option(help: "Surface to ask on.")
  var surface = "main"

  @Option(help: ArgumentHelp("The daemon's socket (default: see 'routerctl socket').", valueName: "path"))
  var socket: String?

  /// The default path of the socket; `nil` without a runtime directory.
  package static var defaultPath: String? { DefaultPaths.current.runtime.map { $0 + "/router-ssh-agent.sock" } }

  func run() throws {
    SecretBytes.forbidCoreDumps()
    signal(SIGPIPE, SIG_IGN)
    guard let upstream = upstream ?? environmentVariable("SSH_AUTH_SOCK") else {
      throw CommandFailure(.usage, "cannot find your agent: SSH_AUTH_SOCK is not set. Pass --upstream")
    }
    guard let path = listen.map({ URL(filePath: $0).path }) ?? Self.defaultPath else {
      throw CommandFailure(.usage, "cannot choose a socket: XDG_RUNTIME_DIR is not set. Pass --listen")
    }
    let listener = try SSHAgentListener(path: path, upstream: upstream)
    StandardStream.output.line("export SSH_AUTH_SOCK=\(path.shellQuoted)")
    let settings = SSHAgentSettings(
      upstream: upstream, upstreamTimeout: upstreamTimeout.duration, surface: surface, socket: socket)
    let error = listener.run(settings)
    throw CommandFailure(.defect, "cannot accept connections at \(path): \(String(cString: strerror(error)))")
  }
}
