import Router

/// Finds the agent that this process asks for: its nearest ancestor that is neither a shell, since hosts run commands through one,
/// nor a service manager, which adopts orphans. In a container, the agent may be process 1.
enum AgentProcess {
  private static let others: Set<String> = [
    "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox",
    "systemd", "init", "tini", "docker-init", "dumb-init", "catatonit",
  ]

  /// The agent's process id; `nil` if it has ended or cannot be seen.
  static func find() -> Int32? {
    (ProcessIdentity.current.ancestry ?? []).dropFirst().first { process in
      // A script that wraps the command is not the agent either.
      let program = process.executable?.fileName ?? process.command ?? ""
      return !others.contains(program)
    }?.pid
  }
}
