import Router
import Testing

@testable import routerd

struct MetricsTextTests {
  @Test func `describes each metric before its samples`() {
    var metrics = MetricsText()
    metrics.add("a_total", "counter", "What a is.", [(nil, 3), (("x", "quote \" slash \\ line\n"), 4)])
    #expect(
      metrics.text == """
        # HELP a_total What a is.
        # TYPE a_total counter
        a_total 3
        a_total{x="quote \\" slash \\\\ line\\n"} 4

        """)
  }

  @Test func `includes outcomes with a count of zero`() {
    let metrics = MetricsText(
      version: "1", uptime: .seconds(61), surfaces: [], ended: [.failed: 2], databaseBytes: 4096, isWritable: false)
    for outcome in PresentationOutcome.Name.allCases {
      let count = outcome == .failed ? 2 : 0
      #expect(metrics.text.contains("routerd_presentations_total{outcome=\"\(outcome.rawValue)\"} \(count)\n"))
    }
    #expect(metrics.text.contains("routerd_log_writable 0\n") && metrics.text.contains("routerd_uptime_seconds 61\n"))
  }
}
