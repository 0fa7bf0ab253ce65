/// A set of code points, stored as sorted ranges with gaps between them.
struct ScalarSet: Sendable, Hashable {
  private let ranges: [ClosedRange<UInt32>]

  package init(_ ranges: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  package init(_ scalar: Unicode.Scalar) {
    ranges = [scalar.value...scalar.value]
  }

  func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var lower: UInt32 = 0
    for range in ranges {
      if range.lowerBound > lower { gaps.append(lower...range.lowerBound - 1) }
      lower = range.upperBound + 1
    }
    if lower <= 0x10FFFF { gaps.append(lower...0x10FFFF) }
    return ScalarSet(gaps)
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }
}

extension ScalarSet {
  /// `\d` of ECMA-262.
  static let digits = ScalarSet([0x30...0x39])
  /// `\w` of ECMA-262.
  static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// `\s` of ECMA-262: WhiteSpace, including the Unicode space separators, and LineTerminator.
  static let whitespace = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// The line terminators of ECMA-262, which `.` does not match.
  static let lineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}
