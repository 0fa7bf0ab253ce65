import Glibc
import Router

/// Sends a terminal's output through `$PAGER` (default: less), as Git does. Output to a pipe is not paged.
enum Pager {
  /// Calls `body` with the stream to write to and its style. Returns when the person has quit the pager.
  static func run(_ body: (StandardStream, OutputStyle) async throws -> Void) async throws {
    let style = StandardStream.output.style
    guard style.isTerminal, TerminalModes.areThere(on: .output), let command, let pipe = popen(command, "w") else {
      return try await body(.output, style)
    }
    // Ctrl-C is handled by the pager, which keeps running.
    signal(SIGINT, SIG_IGN)
    defer {
      pclose(pipe)
      signal(SIGINT, SIG_DFL)
    }
    try await body(StandardStream(descriptor: fileno(pipe)), style)
  }

  /// The options of less: keep colors, quit if the output fits on the screen, and do not clear the screen.
  private static var command: String? {
    let pager = getenv("PAGER").map { String(cString: $0) } ?? "less"
    guard !["", "cat"].contains(pager) else { return nil }
    setenv("LESS", "FRX", 0)
    return pager == "less" ? "command -v less > /dev/null && exec less || exec cat" : pager
  }
}
