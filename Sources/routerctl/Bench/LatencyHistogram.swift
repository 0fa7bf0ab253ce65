/// How often lengths of time occurred, in 128 steps for each doubling, as an HDR histogram with two digits counts them: what it
/// says is within a hundredth of the truth, from a nanosecond to hours.
struct LatencyHistogram: Sendable, Hashable {
  private var counts: [Int] = []
  private(set) var count = 0
  private var sum = 0
  private var smallest = Int.max
  private var largest = 0

  private static let bits = 7

  /// Counts a length of time.
  mutating func add(_ time: Duration) {
    let (seconds, attoseconds) = max(time, .zero).components
    let nanoseconds = Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    let step = Self.step(of: nanoseconds)
    if step >= counts.count { counts.append(contentsOf: repeatElement(0, count: step + 1 - counts.count)) }
    counts[step] += 1
    count += 1
    sum += nanoseconds
    smallest = min(smallest, nanoseconds)
    largest = max(largest, nanoseconds)
  }

  /// The shortest and the longest in nanoseconds, exactly; `nil` where there are none.
  var range: ClosedRange<Int>? { count > 0 ? smallest...largest : nil }

  /// The mean in nanoseconds, exactly; `nil` where there are none.
  var mean: Int? { count > 0 ? sum / count : nil }

  /// The nanoseconds that this share of all, from 0 to 1, did not exceed; `nil` where there are none.
  func percentile(_ share: Double) -> Int? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((Double(count) * share).rounded(.up)))
    var passed = 0
    for (step, times) in counts.enumerated() where times > 0 {
      passed += times
      // Beyond what was seen there is nothing, however wide the step.
      if passed >= rank { return min(max(Self.middle(of: step), smallest), largest) }
    }
    return largest
  }

  private static func step(of value: Int) -> Int {
    let doublings = max(0, Int.bitWidth - value.leadingZeroBitCount - bits - 1)
    return doublings << bits + value >> doublings
  }

  private static func middle(of step: Int) -> Int {
    let doublings = max(0, step >> bits - 1)
    let low = (step - doublings << bits) << doublings
    return low + (1 << doublings) / 2
  }
}
