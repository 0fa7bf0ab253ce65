import FoundationEssentials
import RouterCore
import Testing

/// Random rules and requests. `ROUTER_SEQUENCES` sets the number of files, each with 20 requests, and `ROUTER_SEED` reruns one.
/// Promise P45.
struct RuleSequenceTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test func `decides requests as a plain list and as the replay of the record does`() {
    let only = Self.environment["ROUTER_SEED"].flatMap(UInt64.init)
    let count = Self.environment["ROUTER_SEQUENCES"].flatMap(UInt64.init) ?? 500
    for seed in only.map({ $0...$0 }) ?? 0...count {
      var run = RuleSequence(seed: seed)
      do throws(Violation) { try run.run() } catch {
        Issue.record("seed \(seed): \(error); run it again with ROUTER_SEED=\(seed)")
        return
      }
    }
  }

  @Test(arguments: RuleSequence.Fault.allCases) func `finds each fault of the list`(fault: RuleSequence.Fault) {
    let found = FaultSeeds.first(in: 3_000, for: "rules: \(fault)") { seed in
      var run = RuleSequence(seed: seed, fault: fault)
      return (try? run.run()) == nil
    }
    #expect(found != nil)
  }
}
