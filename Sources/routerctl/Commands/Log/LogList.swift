import ArgumentParser
import Router

struct LogList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List what was asked, and how it ended (the default).",
    discussion: """
      Reads the audit log itself, without the daemon and while it writes. The newest comes last, so that it stands above \
      the prompt; JSON and CSV are in the same order. Filters combine; one with several values takes any of them.

      WAITED is the time until it was first shown, SHOWN from then until it ended. The ID is the end of the whole one, and \
      enough for `log show`. In a pipe there is no heading and nothing is cut; columns are separated by spaces, and none \
      but the last has spaces of its own. Times without a zone are local.

      Where the database may not be read, the daemon is asked; it shows the log to those who may audit. Then everything comes \
      from it, --follow too.
      """)

  enum Format: String, EnumerableFlag {
    case json, csv

    static func help(for value: Format) -> ArgumentHelp? {
      switch value {
      case .json: "Print JSON: one presentation of the HTTP API a line, or one event."
      case .csv: "Print comma-separated values (RFC 4180) with a heading."
      }
    }
  }

  @OptionGroup(title: "Which") var filters: LogFilters

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")],
    help: ArgumentHelp("Only so many, the newest. With --follow: of what is there; 10 without --since.", valueName: "count"))
  var lines: Int?

  @Flag(name: [.short, .long], help: "Go on with what comes: each presentation when it ends, or each event. Ctrl-C ends it.")
  var follow = false

  @Flag(help: "Show events, each thing that happened, instead of presentations.")
  var events = false

  @Flag(exclusivity: .exclusive) var format: Format?

  @OptionGroup(title: "Where") var location: LogLocation

  func validate() throws {
    if let lines, lines < 0 { throw ValidationError("-n must be 0 or more.") }
    if follow, filters.until != nil { throw ValidationError("--until does not go with --follow.") }
  }

  func run() async throws {
    var printer = LogPrinter(format: format, follows: follow)
    if follow { return try await followLog(printer) }
    let source = try location.open()
    if events { return try await source.forEachPage(filters.query, newest: lines, read: source.events) { printer.print($0) } }
    try await source.forEachPage(filters.query, newest: lines, read: source.presentations) {
      printer.print($0, now: PresentationClock.system.wall())
    }
  }
}
