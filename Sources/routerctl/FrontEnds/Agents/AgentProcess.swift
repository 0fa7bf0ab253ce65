import Router

/// Finds the agent that this process asks for: its nearest ancestor that is not a shell, since hosts run commands through one.
enum AgentProcess {
  private static let shells: Set<String> = ["sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox"]

  /// The agent's process id; `nil` if it has ended or cannot be seen.
  static func find() -> Int32? {
    ProcessIdentity.current.ancestry.dropFirst().first { process in
      // A script that wraps the command is not the agent either.
      let program = process.executable?.split(separator: "/").last.map(String.init) ?? process.command ?? ""
      return process.pid > 1 && !shells.contains(program)
    }?.pid
  }
}
