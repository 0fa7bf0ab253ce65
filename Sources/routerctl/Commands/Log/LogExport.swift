import ArgumentParser
import Router

struct LogExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the log as JSON Lines or CSV, oldest first.",
    discussion: """
      Each line is a prompt as in the HTTP API, or an event with --events. Takes the filters of `log list`. In CSV, text \
      that a spreadsheet would run as a formula (beginning with =, +, -, @ or a tab) gets a leading single quote.

      EXAMPLES
        routerctl log export > everything.jsonl
        routerctl log export --events --since 2026-01-01 --until 2027-01-01 > events-2026.jsonl
        routerctl log export --csv --app deploy > deploy.csv
      """)

  @OptionGroup(title: "Filters") var filters: LogFilters

  @Flag(help: "Export events instead of prompts.")
  var events = false

  @Flag(help: "Export CSV (RFC 4180) with a header instead of JSON.")
  var csv = false

  @OptionGroup(title: "Location") var location: LogLocation

  func run() async throws {
    let progress = ProgressLine("exporting")
    defer { progress.finish() }
    let source = try location.open()
    var printer = LogPrinter(format: csv ? .csv : .json)
    let span = try await Span(filters.query, source)
    if events {
      let read = { try await source.events($0, hasRequests: false) }
      try await source.forEachPage(filters.query, newest: nil, read: read) { page in
        printer.print(page)
        if let at = page.last?.event.at { progress.update(span.share(at)) }
      }
    } else {
      try await source.forEachPage(filters.query, newest: nil, read: source.presentationPage) { page in
        printer.print(page, now: PresentationClock.system.wall())
        if let at = page.last?.requestedAt { progress.update(span.share(at)) }
      }
    }
    progress.finish()
    if !events || filters.query.filtersPresentations { await location.noteUnindexedEvents(source) }
  }

  /// The exported time span, to compute progress.
  private struct Span {
    var first: Timestamp?
    var last: Timestamp?

    init(_ query: AuditQuery, _ source: any LogSource) async throws {
      guard source.canBeginWithOldest else { return }
      var query = AuditQuery()
      query.limit = 1
      last = try await source.eventPage(query).page.first?.at
      query.order = .oldestFirst
      first = try await source.eventPage(query).page.first?.at
    }

    func share(_ at: Timestamp) -> Double {
      guard let first, let last, first < last else { return 0 }
      return Double(at.milliseconds - first.milliseconds) / Double(last.milliseconds - first.milliseconds)
    }
  }
}
