import Foundation

/// Seeds for tests with random input; the same seed repeats the same run.
enum TestSeed {
  /// Returns and prints the seed in `ROUTER_SEED`, or a new one.
  static func make(for test: String = #function) -> UInt64 {
    let seed = number("ROUTER_SEED") ?? .random(in: 0...UInt64.max)
    print("ROUTER_SEED=\(seed) in \(test)")
    return seed
  }

  /// Returns the number of repetitions from an environment variable, for the long form.
  static func count(_ variable: String, otherwise count: Int) -> Int {
    number(variable).map { Int(clamping: $0) } ?? count
  }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }
}
