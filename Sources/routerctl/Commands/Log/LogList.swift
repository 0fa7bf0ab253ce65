import ArgumentParser
import Router

struct LogList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List prompts and their outcomes (the default).",
    discussion: """
      Reads the database directly, whether or not the daemon is running. In a terminal, the newest entry comes first, otherwise last. \
      A prompt must match all filters; a filter with several values matches any of them.

      OUTCOME is the label of the button, or how the prompt ended: program ended, withdrawn by its program, never shown \
      before it expired, and so on. ↻ marks prompts settled by a remembered answer, § by a rule; → ran 0 is the \
      program's report on an approved act: it ran with exit status 0. Except for labels, a pipe has the words of \
      --outcome and --reason, such as cancelled/requesterGone.

      WAITED is the time until the prompt was first shown, SHOWN the time from then until it ended. ID is the end of the full \
      id; every command accepts it. In a terminal, values that all rows share are printed once above the table, consecutive \
      prompts without a presenter share a line, and long output goes through $PAGER (PAGER=cat for none). In a pipe, there is no heading and text is not cut; columns are separated by \
      spaces, and only the last one contains spaces. Times without a zone are local.

      If you cannot read the database, the daemon is queried instead, also with --follow. This requires the role audit.

      EXAMPLES
        routerctl log --since 1h
        routerctl log --app deploy --outcome answered --since yesterday
        routerctl log --search 'prod*' --csv
        routerctl log --follow --json
      """)

  enum Format: String, EnumerableFlag {
    case json, csv

    static func help(for value: Format) -> ArgumentHelp? {
      switch value {
      case .json: "Print JSON, one prompt (as in the HTTP API) or event per line."
      case .csv: "Print CSV (RFC 4180) with a header."
      }
    }
  }

  @OptionGroup(title: "Filters") var filters: LogFilters

  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")],
    help: ArgumentHelp(
      "Only the newest entries. With --follow: how many to print first (default: 10 without --since).", valueName: "count"))
  var lines: Int?

  @Flag(name: [.short, .long], help: "Follow: print each prompt as it ends, or each event, until interrupted.")
  var follow = false

  @Flag(help: "Show events instead of prompts.")
  var events = false

  @Flag(exclusivity: .exclusive) var format: Format?

  @OptionGroup(title: "Location") var location: LogLocation

  func validate() throws {
    if let lines, lines < 0 { throw ValidationError("-n must be 0 or more.") }
    if follow, filters.until != nil { throw ValidationError("--until cannot be used with --follow.") }
  }

  func run() async throws {
    if follow { return try await followLog(LogPrinter(format: format, follows: true, search: filters.search)) }
    let source = try location.open()
    var isEmpty = true
    try await Pager.run { out, style in
      var printer = LogPrinter(format: format, search: filters.search, style: style, write: out.text)
      // Like on a screen: the page and `top` also begin with the newest.
      let order: AuditQuery.Order = format == nil && style.isTerminal ? .newestFirst : .oldestFirst
      if events {
        let read = { try await source.events($0, hasRequests: format == nil) }
        return try await source.forEachPage(filters.query, newest: lines, order: order, read: read) { page in
          printer.print(page)
          if !page.isEmpty { isEmpty = false }
        }
      }
      let now = PresentationClock.system.wall()
      var (last, isAll) = ([Presentation](), true)
      try await source.forEachPage(filters.query, newest: lines, order: order, read: source.presentationPage) { page in
        if !last.isEmpty {
          printer.print(last, now: now)
          isAll = false
        }
        last = page
      }
      printer.print(last, now: now, isAll: isAll)
      isEmpty = isAll && last.isEmpty
    }
    if !events || filters.query.filtersPresentations { await location.noteUnindexedEvents(source) }
    guard isEmpty, format == nil, lines != 0 else { return }
    let things = events ? "events" : "prompts"
    let nothing = filters.query == AuditQuery() ? "the log has no \(things)" : "no \(things) match"
    StandardStream.error.line("routerctl: \(location.sharedHint(filters.query.surfaces) ?? nothing)".escapedForTerminal())
  }
}
