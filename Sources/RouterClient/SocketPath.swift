import Glibc
import Router

extension RouterClient {
  /// The default path of the daemon's socket: `$ROUTERD_SOCKET`, else `$XDG_RUNTIME_DIR/routerd/routerd.sock`, else
  /// `/run/routerd/routerd.sock`.
  public static func defaultSocketPath() -> String {
    var environment: [String: String] = [:]
    for name in ["ROUTERD_SOCKET", "XDG_RUNTIME_DIR"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return DefaultPaths(environment: environment).socket
  }
}
