import Glibc

extension RouterClient {
  /// Where the daemon listens unless told otherwise: `$ROUTERD_SOCKET`, else `$XDG_RUNTIME_DIR/routerd/routerd.sock`, else
  /// `/run/routerd/routerd.sock`. An empty variable counts as none.
  public static func defaultSocketPath() -> String {
    defaultSocketPath { name in getenv(name).map { String(cString: $0) } }
  }

  static func defaultSocketPath(variable: (String) -> String?) -> String {
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let path = value("ROUTERD_SOCKET") { return path }
    return (value("XDG_RUNTIME_DIR") ?? "/run") + "/routerd/routerd.sock"
  }
}
