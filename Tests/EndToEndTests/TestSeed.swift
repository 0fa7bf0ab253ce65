import Foundation

/// What a test does at random is the same again with the same seed.
enum TestSeed {
  /// The seed that `ROUTER_SEED` gives, or a new one; it is printed.
  static func make(for test: String = #function) -> UInt64 {
    let seed = number("ROUTER_SEED") ?? .random(in: 0...UInt64.max)
    print("ROUTER_SEED=\(seed) in \(test)")
    return seed
  }

  /// How often a test does what it does: what the environment says, for the long form.
  static func count(_ variable: String, otherwise count: Int) -> Int {
    number(variable).map { Int(clamping: $0) } ?? count
  }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }
}
