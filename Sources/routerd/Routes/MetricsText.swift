import OrderedCollections
import Router

/// Metrics in the Prometheus text format, version 0.0.4.
struct MetricsText: Sendable {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A value of a metric, with at most one label.
  typealias Sample = (label: (name: String, value: String)?, value: Int)

  private(set) var text = ""

  mutating func add(_ name: String, _ help: String, _ value: Int) { add(name, "gauge", help, [(nil, value)]) }

  mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [Sample]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    for (label, value) in samples {
      text += "\(name)\(label.map { "{\($0.name)=\"\(Self.escaped($0.value))\"}" } ?? "") \(value)\n"
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing(each: "\\", with: "\\\\").replacing(each: "\"", with: "\\\"").replacing(each: "\n", with: "\\n")
  }
}

extension MetricsText {
  init(
    version: String, uptime: Duration, surfaces: [SurfaceState], ended: [PresentationOutcome.Name: Int], databaseBytes: Int,
    isWritable: Bool
  ) {
    func bySurface(_ value: (SurfaceState) -> Int) -> [Sample] { surfaces.map { (("surface", $0.name), value($0)) } }
    add("routerd_info", "gauge", "The daemon's version.", [(("version", version), 1)])
    add("routerd_uptime_seconds", "Time since the daemon started.", Int(uptime.components.seconds))
    add("routerd_log_writable", "Whether the log can be written.", isWritable ? 1 : 0)
    add("routerd_database_bytes", "Size of the database on disk, without its write-ahead log.", databaseBytes)
    add("routerd_presentations_presented", "gauge", "Shown and covered prompts, by surface.", bySurface(\.presented.count))
    add("routerd_presentations_waiting", "gauge", "Queued prompts, by surface.", bySurface(\.waiting))
    add("routerd_presenters", "gauge", "Attached presenters, by surface.", bySurface(\.presenters.count))
    add(
      "routerd_presentations_total", "counter", "Prompts that have ended since the daemon started, by outcome.",
      PresentationOutcome.Name.allCases.map { (("outcome", $0.rawValue), ended[$0] ?? 0) })
  }
}
