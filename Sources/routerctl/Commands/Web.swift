import ArgumentParser
import Router
import RouterClient

/// `routerctl web`
struct Web: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Print the one-time link to the page.",
    discussion: """
      The page does in a browser what `routerctl present` and `routerctl log` do in a terminal. It is served where the setting \
      web.address says, on this machine alone. The link lets in one browser, once, within five minutes.

      EXAMPLES
        routerctl web
        xdg-open "$(routerctl web)"
        ssh -L 8170:127.0.0.1:8170 host routerctl web     then open it at home
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var daemon: DaemonOptions

  func run() async throws {
    let link = try await daemon.client().webLink()
    let out = StandardStream.output
    if output.json { return out.line(link.description) }
    out.line((link["url"]?.string ?? "").escapedForTerminal())
    if out.style.isTerminal, let lifetime = link["lifetime"]?.number?.double {
      StandardStream.error.line(
        out.style.text("it lets in one browser, once, within the next \(Duration.seconds(lifetime).brief)", .dim))
    }
  }
}
