import Router

/// Finds the agent that started this process: its nearest ancestor other than shells, through which hosts run commands, and
/// service managers, which adopt orphans. In a container, the agent may be process 1.
enum AgentProcess {
  private static let others: Set<String> = [
    "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "busybox",
    "systemd", "init", "tini", "docker-init", "dumb-init", "catatonit",
  ]

  /// Returns the agent's process id; `nil` if it has ended or is not visible.
  static func find() -> Int32? {
    // A script that wraps the command is not the agent either.
    ProcessTree.nearestAncestor { !others.contains($0) }
  }
}
