package import OrderedCollections
package import RouterCore

/// The number of presentations by outcome, with their waiting and shown times.
package struct AuditStatistics: Sendable, Hashable {
  /// A dimension to group by.
  package enum Dimension: String, Sendable, Hashable, CaseIterable {
    case app, hour, day, outcome
    /// Like outcome, but with separate yes, no and other answers.
    case answer
  }

  /// Percentiles of durations, accurate to 1/16.
  package struct Times: Sendable, Hashable {
    package let median: Duration
    package let ninetieth: Duration
    package let ninetyNinth: Duration
  }

  /// The presentations of one app, hour, day, outcome or answer; or all.
  package struct Group: Sendable, Hashable {
    /// The property that the presentations share; `nil` for all presentations.
    package let dimension: Dimension?
    /// The app, the outcome, the day (`2026-11-21`) or the start of the hour in RFC 3339.
    package let key: String
    package let count: Int
    /// The number of presentations by outcome, without outcomes that did not occur.
    package let outcomes: OrderedDictionary<PresentationOutcome.Name, Int>
    /// Answers by kind: yes, no, other.
    package let answers: OrderedDictionary<AnswerKind, Int>
    /// The number of presentations ended by a remembered answer.
    package let settled: Int
    /// The time from the request until first shown, or until the end if never shown.
    package let waited: Times?
    /// The time from first shown until the end; `nil` if none was shown.
    package let shown: Times?
  }

  /// The number of open presentations, which belong to no group.
  package let open: Int
  package let total: Group
  /// The groups by dimension: apps and outcomes by descending count, hours and days in order. An hour belongs to the
  /// day in which it starts.
  package let groups: [Dimension: [Group]]
}

/// The response of `GET /v1/log/stats`.
extension AuditStatistics: Record {
  package static var schemaName: String { "Statistics" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    open = try f("open", ifAbsent: 0, \.open, "Number of open presentations.")
    total = try f("total", \.total)
    var groups: [Dimension: [Group]] = [:]
    groups[.app] = try f("apps") { $0.groups[.app] }
    groups[.hour] = try f("hours") { $0.groups[.hour] }
    groups[.day] = try f("days") { $0.groups[.day] }
    groups[.outcome] = try f("outcomes") { $0.groups[.outcome] }
    groups[.answer] = try f("answers") { $0.groups[.answer] }
    self.groups = groups
  }
}

extension AuditStatistics.Group: Record {
  package static var schemaName: String { "StatisticsGroup" }
  package static var about: String {
    "The ended presentations of one app, hour, day, outcome or answer, or all of them."
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let keys: [(AuditStatistics.Dimension, String?)] = [
      (.app, try f("app") { $0.key(of: .app) }),
      (.hour, try f("hour", { $0.key(of: .hour) }, "Start of the hour.", Timestamp.schema)),
      (.day, try f("day", { $0.key(of: .day) }, "In UTC.", ["type": "string", "format": "date"])),
      (.outcome, try f("outcome", { $0.key(of: .outcome) }, "", PresentationOutcome.Name.schema)),
      (.answer, try f("answer", { $0.key(of: .answer) }, "A kind of answer, or another outcome.")),
    ].filter { $0.1 != nil }
    try f.check(keys.count <= 1, "has more than one of app, hour, day, outcome and answer")
    (dimension, key) = (keys.first?.0, keys.first?.1 ?? "")
    count = try f("count", ifAbsent: 0, \.count)
    outcomes = Self.known(try f("outcomes", ifAbsent: [:], { Self.named($0.outcomes) }, "Number per outcome."))
    answers = Self.known(try f("answers", ifAbsent: [:], { Self.named($0.answers) }, "Number per kind of answer."))
    settled = try f(
      "settled", ifAbsent: 0, \.settled, "Number ended by remembered answers. They count in none of the times.")
    waited = try f(
      orNull: "waited", \.waited, "Time from the request until first shown, or until it ended unseen.")
    shown = try f(orNull: "shown", \.shown, "Time from first shown until the end.")
  }

  private func key(of dimension: AuditStatistics.Dimension) -> String? { self.dimension == dimension ? key : nil }

  private static func named<Name: RawRepresentable<String>>(
    _ counts: OrderedDictionary<Name, Int>
  ) -> OrderedDictionary<String, Int> {
    OrderedDictionary(uniqueKeysWithValues: counts.map { ($0.rawValue, $1) })
  }

  /// Ignores names added by newer versions.
  private static func known<Name: RawRepresentable<String>>(
    _ counts: OrderedDictionary<String, Int>
  ) -> OrderedDictionary<Name, Int> {
    OrderedDictionary(uniqueKeysWithValues: counts.compactMap { text, count in Name(rawValue: text).map { ($0, count) } })
  }
}

extension AuditStatistics.Times: Record {
  package static var about: String { "Percentiles in seconds, accurate to about 6%." }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    median = try f("p50", \.median)
    ninetieth = try f("p90", \.ninetieth)
    ninetyNinth = try f("p99", \.ninetyNinth)
  }
}
