/// What a row of `stats` counts, or of `totals`.
struct AuditStatsKey: Sendable, Hashable {
  /// In which it was asked for, in hours since 1970-01-01 UTC.
  let hour: Int64
  let outcome: PresentationOutcome.Name
  /// `nil` for all of them together.
  let app: String?

  init(hour: Int64, outcome: PresentationOutcome.Name, app: String?) {
    self.hour = hour
    self.outcome = outcome
    self.app = app
  }

  /// - Returns: `nil` for one that is open.
  init?(_ presentation: Presentation) {
    guard let outcome = presentation.outcome?.name else { return nil }
    self.init(hour: presentation.requestedAt.hour, outcome: outcome, app: presentation.requester.app)
  }

  var ofAllApps: AuditStatsKey { AuditStatsKey(hour: hour, outcome: outcome, app: nil) }
}

/// Where it is counted.
extension AuditStatsKey {
  var table: String { app == nil ? "totals" : "stats" }
  var columns: String { app == nil ? "hour, outcome" : "hour, outcome, app" }
  var condition: String { app == nil ? "hour = ? AND outcome = ?" : "hour = ? AND outcome = ? AND app = ?" }
  var values: [SQLiteValue] { [.integer(hour), .text(outcome.rawValue)] + (app.map { [.text($0)] } ?? []) }
}

extension Timestamp {
  /// Hours since 1970-01-01 UTC, rounded down.
  var hour: Int64 { (milliseconds - (milliseconds % 3_600_000 + 3_600_000) % 3_600_000) / 3_600_000 }
}

/// How many presentations ended, and how long they waited and were shown.
struct AuditStatsTally: Sendable, Hashable {
  private(set) var number = 0
  private(set) var waited = DurationHistogram()
  private(set) var shown = DurationHistogram()

  init() {}

  /// Counts a presentation that has ended, or takes it out again.
  mutating func add(requestedAt: Timestamp, presentedAt: Timestamp?, resolvedAt: Timestamp, times: Int = 1) {
    number += times
    waited.add((presentedAt ?? resolvedAt).duration(since: requestedAt), times: times)
    if let presentedAt { shown.add(resolvedAt.duration(since: presentedAt), times: times) }
  }

  /// Adds a row of `stats`, from three columns.
  mutating func add(_ row: SQLiteStatement, from column: Int32) throws {
    number += Int(row.integer(column))
    try row.withBytes(column + 1) { try waited.add(bytes: $0) }
    try row.withBytes(column + 2) { try shown.add(bytes: $0) }
  }

  mutating func add(_ other: AuditStatsTally) {
    number += other.number
    waited.add(other.waited)
    shown.add(other.shown)
  }

  var values: [SQLiteValue] { [.int(number), .blob(waited.bytes), .blob(shown.bytes)] }
}
