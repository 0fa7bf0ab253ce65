package import OrderedCollections
package import RouterCore

/// The number of presentations by outcome, and how long they waited and were shown.
package struct AuditStatistics: Sendable, Hashable {
  /// A dimension to group by.
  package enum Dimension: String, Sendable, Hashable, CaseIterable {
    case app, hour, day, outcome
    /// As outcome, with yes, no and other answers apart.
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
    /// The app, the outcome, the day (`2026-11-21`) or the start of the hour in RFC 3339.
    package let key: String
    package let count: Int
    /// The number of presentations by outcome, without outcomes that did not occur.
    package let outcomes: OrderedDictionary<PresentationOutcome.Name, Int>
    /// Answers by kind: yes, no, other.
    package let answers: OrderedDictionary<AnswerKind, Int>
    /// The number of presentations that a remembered answer ended.
    package let settled: Int
    /// From the request until first shown, or until the end if never shown.
    package let waited: Times?
    /// From first shown until the end; `nil` if none was shown.
    package let shown: Times?
  }

  /// The number of open presentations, which are in no group.
  package let open: Int
  package let total: Group
  /// The groups by dimension: apps and outcomes by descending count, hours and days in order. An hour belongs to the
  /// day in which it starts.
  package let groups: [Dimension: [Group]]
}

extension AuditStatistics {
  /// The response of `GET /v1/log/stats`.
  package var json: JSONValue {
    var members: OrderedDictionary<String, JSONValue> = ["open": .integer(open), "total": .object(total.members)]
    for dimension in Dimension.allCases {
      guard let groups = groups[dimension] else { continue }
      members[dimension.plural] = .array(
        groups.map { group in
          let key: OrderedDictionary<String, JSONValue> = [dimension.rawValue: .string(group.key)]
          return .object(key.merging(group.members) { first, _ in first })
        })
    }
    return .object(members)
  }

  /// Decodes the format of ``json``.
  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    open = try reader.count("open") ?? 0
    guard let total = reader.any("total") else { throw reader.error("is missing", at: "total") }
    self.total = try Group(json: total, key: "")
    var groups: [Dimension: [Group]] = [:]
    for dimension in Dimension.allCases {
      guard let list = reader.any(dimension.plural)?.array else { continue }
      groups[dimension] = try list.map { (json) throws(JSONError) in
        try Group(json: json, key: json[dimension.rawValue]?.string ?? "")
      }
    }
    self.groups = groups
  }
}

extension AuditStatistics.Dimension {
  fileprivate var plural: String { rawValue + "s" }
}

extension AuditStatistics.Group {
  fileprivate var members: OrderedDictionary<String, JSONValue> {
    [
      "count": .integer(count),
      "outcomes": .object(OrderedDictionary(uniqueKeysWithValues: outcomes.map { ($0.rawValue, .integer($1)) })),
      "answers": .object(OrderedDictionary(uniqueKeysWithValues: answers.map { ($0.rawValue, .integer($1)) })),
      "settled": .integer(settled), "waited": waited?.json ?? .null, "shown": shown?.json ?? .null,
    ]
  }

  fileprivate init(json: JSONValue, key: String) throws(JSONError) {
    self.key = key
    count = json["count"]?.number?.integer ?? 0
    outcomes = Self.counts(json["outcomes"])
    answers = Self.counts(json["answers"])
    settled = json["settled"]?.number?.integer ?? 0
    waited = json["waited"].flatMap(AuditStatistics.Times.init(json:))
    shown = json["shown"].flatMap(AuditStatistics.Times.init(json:))
  }
}

extension AuditStatistics.Group {
  private static func counts<Name: RawRepresentable<String> & Hashable>(_ json: JSONValue?) -> OrderedDictionary<Name, Int> {
    (json?.object ?? [:]).reduce(into: [:]) { counts, member in
      if let name = Name(rawValue: member.key) { counts[name] = member.value.number?.integer }
    }
  }
}

extension AuditStatistics.Times {
  fileprivate var json: JSONValue {
    ["p50": .seconds(median), "p90": .seconds(ninetieth), "p99": .seconds(ninetyNinth)]
  }

  fileprivate init?(json: JSONValue) {
    func seconds(_ key: String) -> Duration? {
      json[key]?.number.map { .milliseconds(Int64(($0.double * 1000).rounded())) }
    }
    guard let median = seconds("p50"), let ninetieth = seconds("p90"), let last = seconds("p99") else { return nil }
    self.init(median: median, ninetieth: ninetieth, ninetyNinth: last)
  }
}
