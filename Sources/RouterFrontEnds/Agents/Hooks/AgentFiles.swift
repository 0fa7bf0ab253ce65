import Glibc
import Router

/// Files that one run of the hook leaves for a later one.
enum AgentFiles {
  /// Their directory, below the user's runtime directory, or without one beside the log. Is created if it is missing.
  static var directory: String {
    let paths = DefaultPaths.current
    let directory = paths.runtime.map { $0 + "/router-agent" } ?? paths.stateDirectory + "/agent"
    mkdir(directory, 0o700)
    return directory
  }
}
