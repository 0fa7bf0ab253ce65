public import OrderedCollections

/// How many presentations ended how, and how long they waited and were shown.
public struct AuditStatistics: Sendable, Hashable {
  /// What is counted by.
  public enum Dimension: String, Sendable, Hashable, CaseIterable {
    case app, hour, day, outcome
  }

  /// Percentiles of lengths of time, each within a sixteenth of the truth.
  public struct Times: Sendable, Hashable {
    public let median: Duration
    public let ninetieth: Duration
    public let ninetyNinth: Duration
  }

  /// The presentations of one app, hour, day or outcome; or all.
  public struct Group: Sendable, Hashable {
    /// The app, the outcome, the day (`2026-11-21`) or the hour's beginning in RFC 3339.
    public let key: String
    public let count: Int
    /// How many ended how; those that none ended so are left out.
    public let outcomes: OrderedDictionary<PresentationOutcome.Name, Int>
    /// From being asked for until being first shown, or ending without that.
    public let waited: Times?
    /// From being first shown until the end; `nil` where none was shown.
    public let shown: Times?
  }

  /// How many are open: they are in no group.
  public let open: Int
  public let total: Group
  /// Groups by what was counted by: apps and outcomes with the most first, hours and days in their order. An hour counts to
  /// the day in which it begins.
  public let groups: [Dimension: [Group]]
}

extension AuditStatistics {
  /// What `GET /v1/log/stats` answers.
  public var json: JSONValue {
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

  /// Reads what ``json`` writes.
  public init(json: JSONValue) throws(JSONError) {
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
      "waited": waited?.json ?? .null, "shown": shown?.json ?? .null,
    ]
  }

  fileprivate init(json: JSONValue, key: String) throws(JSONError) {
    self.key = key
    count = json["count"]?.number?.integer ?? 0
    var outcomes: OrderedDictionary<PresentationOutcome.Name, Int> = [:]
    for (key, value) in json["outcomes"]?.object ?? [:] {
      if let name = PresentationOutcome.Name(rawValue: key) { outcomes[name] = value.number?.integer }
    }
    self.outcomes = outcomes
    waited = json["waited"].flatMap(AuditStatistics.Times.init(json:))
    shown = json["shown"].flatMap(AuditStatistics.Times.init(json:))
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
