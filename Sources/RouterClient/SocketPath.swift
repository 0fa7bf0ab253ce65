import Router

extension RouterClient {
  /// The path of the daemon's socket: `$ROUTERD_SOCKET`, otherwise the first existing `routerd/routerd.sock` in
  /// `$XDG_RUNTIME_DIR` (default: `/run/user/UID`), in `~/.local/state`, and, without a session, in `/run`.
  public static func defaultSocketPath() -> String { DefaultPaths.current.socketToUse }
}
