import Glibc

/// A terminal's output through `$PAGER` (default: less), as Git does it. In a pipe there is none.
enum Pager {
  /// Calls `body` with where to write, and how; returns when the person has left the pager.
  static func run(_ body: (StandardStream, OutputStyle) async throws -> Void) async throws {
    let style = StandardStream.output.style
    guard style.isTerminal, TerminalModes.areThere(on: .output), let command, let pipe = popen(command, "w") else {
      return try await body(.output, style)
    }
    // Ctrl-C is for the pager, which stays.
    signal(SIGINT, SIG_IGN)
    defer {
      pclose(pipe)
      signal(SIGINT, SIG_DFL)
    }
    try await body(StandardStream(descriptor: fileno(pipe)), style)
  }

  /// Colors pass, what fits on the screen is printed, and nothing is cleared.
  private static var command: String? {
    let pager = getenv("PAGER").map { String(cString: $0) } ?? "less"
    guard !["", "cat"].contains(pager) else { return nil }
    setenv("LESS", "FRX", 0)
    return pager == "less" ? "command -v less > /dev/null && exec less || exec cat" : pager
  }
}
