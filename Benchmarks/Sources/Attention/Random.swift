import Glibc

/// SplitMix64, so that a seed always gives the same week.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Picks an element with a probability of about one divided by its position (Zipf's law).
  mutating func often<Element>(_ elements: [Element]) -> Element {
    let part = Double(next() >> 11) / Double(1 << 53)
    return elements[min(elements.count - 1, Int(exp(part * log(Double(elements.count + 1)))) - 1)]
  }

  mutating func kind() -> Kind {
    var left = below(Kind.allCases.reduce(0) { $0 + $1.weight })
    return Kind.allCases.first { kind in
      left -= kind.weight
      return left < 0
    }!
  }
}
