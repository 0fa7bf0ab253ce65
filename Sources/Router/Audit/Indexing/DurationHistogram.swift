/// How often lengths of time occurred, in eight steps for each doubling: a percentile is within a sixteenth of the truth.
///
/// Two of them add up, and so the log can keep one for each hour. On record it is a sequence of pairs of numbers in LEB128:
/// how many steps further than the pair before, and how often.
struct DurationHistogram: Sendable, Hashable {
  /// How often, by step. Step 0 is zero milliseconds.
  private var counts: [Int] = []
  private(set) var count = 0

  init() {}

  /// - Throws: ``JSONError`` for bytes that are none of ``bytes``.
  init(bytes: UnsafeRawBufferPointer) throws(JSONError) {
    try add(bytes: bytes)
  }

  /// Counts a length of time, or takes it out again.
  mutating func add(_ duration: Duration, times: Int = 1) {
    add(step: Self.step(of: duration), times: times)
  }

  /// Adds what ``bytes`` gave.
  mutating func add(bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var (index, step) = (0, 0)
    while index < bytes.count {
      step += try Self.number(bytes, &index)
      guard step <= Self.lastStep else { throw JSONError("a histogram is damaged") }
      add(step: step, times: try Self.number(bytes, &index))
    }
  }

  @inline(__always)
  private static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) throws(JSONError) -> Int {
    var (value, shift) = (0, 0)
    while index < bytes.count, shift < 63 {
      let byte = bytes[index]
      index += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw JSONError("a histogram is damaged")
  }

  mutating func add(_ other: DurationHistogram) {
    for (step, times) in other.counts.enumerated() where times != 0 { add(step: step, times: times) }
  }

  /// What is stored.
  var bytes: [UInt8] {
    var (bytes, before) = ([UInt8](), 0)
    func append(_ value: Int) {
      var value = value
      while value >= 0x80 {
        bytes.append(UInt8(value & 0x7F) | 0x80)
        value >>= 7
      }
      bytes.append(UInt8(value))
    }
    for (step, times) in counts.enumerated() where times > 0 {
      append(step - before)
      append(times)
      before = step
    }
    return bytes
  }

  /// The length of time that so many of a hundred are not longer than; `nil` where there are none.
  func percentile(_ percent: Int) -> Duration? {
    guard count > 0 else { return nil }
    let rank = max(1, (count * percent + 99) / 100)
    var passed = 0
    for (step, times) in counts.enumerated() {
      passed += times
      if passed >= rank { return .milliseconds(Self.middle(of: step)) }
    }
    return nil
  }

  private mutating func add(step: Int, times: Int) {
    // In pieces: steps come in their order.
    if step >= counts.count { counts.append(contentsOf: repeatElement(0, count: (step | 63) + 1 - counts.count)) }
    counts[step] += times
    count += times
  }

  /// The last step, which everything longer counts in: some 280 years.
  private static let lastStep = 8 * 43

  private static func step(of duration: Duration) -> Int {
    let milliseconds = Int(clamping: duration.milliseconds)
    guard milliseconds > 0 else { return 0 }
    let doublings = Int.bitWidth - 1 - milliseconds.leadingZeroBitCount
    return min(lastStep, doublings * 8 + ((milliseconds << 3) >> doublings & 7) + 1)
  }

  private static func middle(of step: Int) -> Int {
    guard step > 0 else { return 0 }
    let (doublings, eighth) = ((step - 1) / 8, (step - 1) % 8)
    // From so many milliseconds up to the next step's: below eight not every step has one.
    let low = ((8 + eighth) << doublings + 7) >> 3
    let high = ((9 + eighth) << doublings + 7) >> 3
    return (low + max(low, high - 1)) / 2
  }
}
