import Testing

@testable import routerctl

struct LatencyHistogramTests {
  @Test func `nothing has no percentile`() {
    let histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    #expect(histogram.range == nil)
    #expect(histogram.mean == nil)
  }

  @Test func `what is short is told exactly`() {
    var histogram = LatencyHistogram()
    for nanoseconds in 1...200 { histogram.add(.nanoseconds(nanoseconds)) }
    #expect(histogram.percentile(0.5) == 100)
    #expect(histogram.percentile(0.99) == 198)
    #expect(histogram.percentile(1) == 200)
    #expect(histogram.range == 1...200)
    #expect(histogram.mean == 100)
  }

  @Test func `a percentile is within a hundredth of the sorted lengths, from nanoseconds to hours`() {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    var random = SplitMix(state: seed)
    var histogram = LatencyHistogram()
    var lengths: [Int] = []
    for _ in 0..<20_000 {
      let length = Int(random.next() >> (20 + random.next() % 40))
      lengths.append(length)
      histogram.add(.nanoseconds(length))
    }
    lengths.sort()
    #expect(histogram.count == lengths.count, "seed \(seed)")
    for share in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
      let truth = lengths[max(0, Int((Double(lengths.count) * share).rounded(.up)) - 1)]
      let told = histogram.percentile(share) ?? -1
      #expect(abs(Double(told - truth)) <= Double(truth) / 100, "seed \(seed), \(share): \(told) for \(truth)")
    }
  }

  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}
