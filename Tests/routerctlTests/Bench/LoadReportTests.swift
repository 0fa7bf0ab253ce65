import OrderedCollections
import Router
import Testing

@testable import routerctl

struct LoadReportTests {
  private var report: LoadReport {
    var histogram = LatencyHistogram()
    for _ in 0..<99 { histogram.add(.microseconds(100)) }
    histogram.add(.milliseconds(2))
    let plan = LoadPlan(requesters: 8, surfaces: 2, count: 100, warmUp: 10, name: "bench-1")
    return LoadReport(plan: plan, time: .milliseconds(250), histogram: histogram, durability: "full")
  }

  @Test func `as JSON it has what was run and what came of it, in seconds`() throws {
    let json = report.json
    #expect(
      json.object?.keys.elements == [
        "requesters", "surfaces", "count", "warmUp", "detached", "answered", "durability", "seconds", "perSecond", "latency",
      ])
    #expect(json["seconds"]?.number?.double == 0.25)
    #expect(json["perSecond"]?.number?.double == 400)
    #expect(json["durability"]?.string == "full")
    #expect(json["latency"]?.object?.keys.elements == ["mean", "min", "p50", "p90", "p95", "p99", "p999", "max"])
    #expect(json["latency"]?["min"]?.number?.double == 0.0001)
    #expect(json["latency"]?["max"]?.number?.double == 0.002)
    #expect(json["latency"]?["mean"]?.number?.double == 0.000119)
  }

  @Test func `in a pipe it is names and values with tabs, in milliseconds`() {
    let lines = report.lines(.plain)
    #expect(lines.contains("answered\t100 in 250 ms"))
    #expect(lines.contains("a second\t400"))
    #expect(lines.contains("min\t0.100 ms"))
    #expect(lines.contains("max\t2.000 ms"))
  }

  @Test(arguments: [(0.0, 0, "0"), (1234.5, 0, "1235"), (0.0996, 3, "0.100"), (12.005, 2, "12.01"), (7, 3, "7.000")])
  func `numbers have their digits`(value: Double, digits: Int, text: String) {
    #expect(LoadReport.fixed(value, digits: digits) == text)
  }
}
