import Router

extension RouterClient {
  /// The daemon's socket: `$ROUTERD_SOCKET`, else the first that exists of `routerd/routerd.sock` in `$XDG_RUNTIME_DIR`
  /// (default: `/run/user/UID`), in `~/.local/state`, and, without a session, in `/run`.
  public static func defaultSocketPath() -> String { DefaultPaths.current.socketToUse }
}
