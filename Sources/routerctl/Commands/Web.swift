import ArgumentParser
import FoundationEssentials
import Glibc
import Router
import RouterClient
import RouterCommandLine

struct Web: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Open the page, or print its one-time link.",
    discussion: """
      The page does in a local browser what `routerctl present` and `routerctl log` do in a terminal. Enable it with the setting \
      web.address. The link logs in one browser of your user, once, within five minutes. An administrator can create a link for \
      another user's browser, which is then logged in as that user; the log records this.

      EXAMPLES
        routerctl web --open
        routerctl web                                     # print the link
        routerctl web --for alice                         # print a link for alice's browser
        ssh -L 8170:127.0.0.1:8170 host routerctl web     # then open it at home
      """)

  @Flag(help: "Open the page in your browser (xdg-open).")
  var open = false

  @Option(name: .customLong("for"), help: "Create a link for another user, by name or uid (requires the role admin).")
  var user: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    guard !open || user == nil else {
      throw ValidationError("--open cannot be used with --for: it opens your own browser. Send that user the printed link.")
    }
  }

  func run() async throws {
    daemon.startDaemon()
    let link = try await daemon.client().webLink(for: user)
    if open { return try Self.open(link.url) }
    let out = StandardStream.output
    if output.json { return out.line(link.jsonText.description) }
    out.line(link.url.escapedForTerminal())
    if out.style.isTerminal {
      StandardStream.error.line(
        out.style.text("it logs in one browser, once, within the next \(link.lifetime.brief)", .dim))
    }
  }

  /// Opens the link through a private file: other users can read a process's arguments, and so a link in them.
  private static func open(_ url: String) throws {
    let directory = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
    var path = Array("\(directory)/router-XXXXXX.html".utf8CString)
    // mkstemps(3) creates a new file with mode 0600.
    let descriptor = mkstemps(&path, 5)
    let page = Array("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=\(url)\">\n".utf8)
    guard descriptor >= 0, write(descriptor, page, page.count) == page.count else {
      throw CommandFailure(.defect, "cannot write \(directory)/router-….html: \(String(cString: strerror(errno)))")
    }
    close(descriptor)
    let file = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let browser = try ChildProcess(
      "/bin/sh", ["-c", "exec xdg-open \"$0\"", file], descriptors: (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO))
    guard browser.wait() == 0 else {
      unlink(file)
      throw CommandFailure(.defect, "cannot open a browser with xdg-open. Open the link that \"routerctl web\" prints")
    }
  }
}
