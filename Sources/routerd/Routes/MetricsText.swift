import OrderedCollections
import Router

/// Figures in Prometheus' text format, version 0.0.4.
struct MetricsText: Sendable {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String, Sendable {
    case counter, gauge
  }

  /// One figure: its labels, and its value.
  struct Sample: Sendable {
    var labels: KeyValuePairs<String, String> = [:]
    let value: JSONNumber

    init(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
      self.labels = labels
      self.value = JSONNumber(value)
    }
  }

  private(set) var text = ""

  /// Adds a metric with all its samples.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value.literal)\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}

extension MetricsText {
  /// What the daemon tells of itself.
  init(
    version: String, uptime: Duration, surfaces: [SurfaceState], ended: [PresentationOutcome.Name: Int], databaseBytes: Int,
    isWritable: Bool
  ) {
    add("routerd_info", .gauge, "The daemon's version.", [Sample(1, ["version": version])])
    add("routerd_uptime_seconds", .gauge, "How long the daemon runs.", [Sample(Int(uptime.components.seconds))])
    add("routerd_log_writable", .gauge, "Whether the log can be written.", [Sample(isWritable ? 1 : 0)])
    add(
      "routerd_database_bytes", .gauge, "What the database takes on disk, without its write-ahead log.", [Sample(databaseBytes)]
    )
    add(
      "routerd_presentations_presented", .gauge, "What is shown, by surface, covered or not.",
      surfaces.map { Sample($0.presented.count, ["surface": $0.name]) })
    add(
      "routerd_presentations_waiting", .gauge, "What waits, by surface.",
      surfaces.map { Sample($0.waiting, ["surface": $0.name]) })
    add(
      "routerd_presenters", .gauge, "Who shows, by surface.", surfaces.map { Sample($0.presenters.count, ["surface": $0.name]) }
    )
    add(
      "routerd_presentations_total", .counter, "Presentations that have ended since the daemon started, by outcome.",
      PresentationOutcome.Name.allCases.map { Sample(ended[$0] ?? 0, ["outcome": $0.rawValue]) })
  }
}
