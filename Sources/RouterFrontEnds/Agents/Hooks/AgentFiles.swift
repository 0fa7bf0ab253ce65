import Glibc
import Router

/// Files left by one run of the hook for a later run.
enum AgentFiles {
  /// The directory, below the user's runtime directory, otherwise beside the log. Created if it is missing.
  static var directory: String {
    let paths = DefaultPaths.current
    // The log of root's daemon is the system's.
    let runtime = paths.runtime ?? (geteuid() == 0 ? "/run" : nil)
    let directory = runtime.map { $0 + "/router-agent" } ?? paths.stateDirectory + "/agent"
    mkdir(directory, 0o700)
    return directory
  }
}
