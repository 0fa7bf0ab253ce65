import OrderedCollections
import Router

/// What a load has shown.
struct LoadReport: Sendable {
  let plan: LoadPlan
  /// From the first call that was measured until all was done.
  let time: Duration
  let histogram: LatencyHistogram
  /// What "on record" means to the daemon.
  var durability: String?

  private static let shares: KeyValuePairs<String, Double> = [
    "p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999,
  ]

  /// How many presentations a second.
  var rate: Double { Double(plan.count) / max(time / .seconds(1), 1e-9) }

  /// Latencies by name, in nanoseconds.
  private var latencies: [(name: String, nanoseconds: Int)] {
    guard let range = histogram.range, let mean = histogram.mean else { return [] }
    let shares = Self.shares.map { ($0.key, histogram.percentile($0.value) ?? 0) }
    return [("mean", mean), ("min", range.lowerBound)] + shares + [("max", range.upperBound)]
  }

  /// Everything in seconds.
  var json: JSONValue {
    var latency: OrderedDictionary<String, JSONValue> = [:]
    for (name, nanoseconds) in latencies { latency[name] = Self.number(Double(nanoseconds) / 1e9) }
    return [
      "requesters": .integer(plan.requesters), "surfaces": .integer(plan.surfaces), "count": .integer(plan.count),
      "warmUp": .integer(plan.warmUp), "detached": .bool(plan.isDetached), "answered": .bool(plan.isAnswered),
      "durability": .optional(durability), "seconds": Self.number((time / .nanoseconds(1)).rounded() / 1e9),
      "perSecond": Self.number((rate * 10).rounded() / 10), "latency": .object(latency),
    ]
  }

  /// What people read: milliseconds.
  func lines(_ style: OutputStyle) -> [String] {
    let what = plan.isDetached ? "put on record" : "answered"
    var facts = [
      ("requesters", "\(plan.requesters)"), ("surfaces", "\(plan.surfaces)"), ("durability", durability ?? "?"),
      (what, "\(plan.count) in \(Self.fixed(time / .milliseconds(1), digits: 0)) ms"),
      ("a second", Self.fixed(rate, digits: 0)),
    ]
    for (name, nanoseconds) in latencies { facts.append((name, Self.fixed(Double(nanoseconds) / 1e6, digits: 3) + " ms")) }
    return facts.map { name, value in
      style.isTerminal
        ? style.text(name + String(repeating: " ", count: 15 - name.count), .dim) + value : "\(name)\t\(value)"
    }
  }

  private static func number(_ value: Double) -> JSONValue { .number(JSONNumber(value) ?? JSONNumber(0)) }

  /// A number that is not negative, with so many digits behind the point.
  static func fixed(_ value: Double, digits: Int) -> String {
    var unit = 1
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((value * Double(unit)).rounded())
    guard digits > 0 else { return String(scaled) }
    let fraction = String(scaled % unit)
    return "\(scaled / unit)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
