import RouterCore

/// A range of durations. Eight buckets per doubling keep percentiles within 1/16. Bucket 0 is zero milliseconds.
struct DurationBucket: Sendable, Hashable {
  let index: Int

  /// The bucket of all longer durations, from about 280 years.
  static let last = 8 * 43

  init(index: Int) {
    self.index = min(max(index, 0), Self.last)
  }

  init(of duration: Duration) {
    let milliseconds = Int(clamping: duration.milliseconds)
    guard milliseconds > 0 else {
      index = 0
      return
    }
    let doublings = Int.bitWidth - 1 - milliseconds.leadingZeroBitCount
    index = min(Self.last, doublings * 8 + ((milliseconds << 3) >> doublings & 7) + 1)
  }

  var middle: Duration {
    guard index > 0 else { return .zero }
    let (doublings, eighth) = ((index - 1) / 8, (index - 1) % 8)
    // Below eight milliseconds, some buckets contain no whole number of milliseconds.
    let low = ((8 + eighth) << doublings + 7) >> 3
    let high = ((9 + eighth) << doublings + 7) >> 3
    return .milliseconds((low + max(low, high - 1)) / 2)
  }
}

struct DurationHistogram: Sendable, Hashable {
  private var counts: [Int] = []
  private(set) var count = 0

  mutating func add(_ bucket: DurationBucket, times: Int = 1) {
    // Grows by 32 buckets at a time, since buckets are added in order.
    let index = bucket.index
    if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: (index | 31) + 1 - counts.count)) }
    counts[index] += times
    count += times
  }

  mutating func add(_ other: DurationHistogram) {
    for (index, times) in other.counts.enumerated() where times != 0 { add(DurationBucket(index: index), times: times) }
  }

  /// Returns the duration that `percent` percent of the entries do not exceed; `nil` if there are none.
  func percentile(_ percent: Int) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, (count * percent + 99) / 100)
    var passed = 0
    for (index, times) in counts.enumerated() {
      passed += times
      if passed >= rank { return DurationBucket(index: index).middle }
    }
    return nil
  }
}
