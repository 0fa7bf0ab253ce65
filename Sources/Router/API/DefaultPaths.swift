/// The daemon's default paths: those of the XDG Base Directory Specification for a user's daemon, those of file-hierarchy(7)
/// for the system's.
package struct DefaultPaths: Sendable, Hashable {
  package let socket: String
  package let database: String
  package let configuration: String

  package init(environment: [String: String]) {
    /// Returns an absolute directory from the environment. The specification requires relative ones to be ignored.
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let home = directory("HOME")
    let runtime = directory("XDG_RUNTIME_DIR")
    let isUser = runtime != nil
    let state = directory("XDG_STATE_HOME") ?? (isUser ? home.map { $0 + "/.local/state" } : nil)
    let config = directory("XDG_CONFIG_HOME") ?? (isUser ? home.map { $0 + "/.config" } : nil)
    socket =
      environment["ROUTERD_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
      ?? runtime.map { $0 + "/routerd/routerd.sock" } ?? "/run/routerd/routerd.sock"
    database = state.map { $0 + "/routerd/routerd.db" } ?? "/var/lib/routerd/routerd.db"
    configuration = config.map { $0 + "/routerd/routerd.yaml" } ?? "/etc/routerd/routerd.yaml"
  }
}
