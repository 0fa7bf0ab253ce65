import ArgumentParser
import Router
import RouterClient

/// `routerctl socket`.
struct Socket: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "socket",
    abstract: "Print the path of the daemon's socket.",
    discussion: """
      Prints $ROUTERD_SOCKET. Without it, prints the first socket that exists: routerd/routerd.sock in $XDG_RUNTIME_DIR \
      (default: /run/user/UID), then in ~/.local/state, then in /run if you are not in a session. If there is none, prints where \
      routerd would listen.

      EXAMPLES
        routerctl socket
        curl --unix-socket "$(routerctl socket)" http://routerd/v1/status
      """)

  func run() { StandardStream.output.line(RouterClient.defaultSocketPath()) }
}
