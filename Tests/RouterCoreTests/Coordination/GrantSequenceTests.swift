import FoundationEssentials
import RouterCore
import Testing

/// Random sequences with grants. `ROUTER_SEQUENCES` sets their number, and `ROUTER_SEED` reruns one.
/// Promise P43.
struct GrantSequenceTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test func `settles what a plain list of grants would`() {
    let only = Self.environment["ROUTER_SEED"].flatMap(UInt64.init)
    let count = Self.environment["ROUTER_SEQUENCES"].flatMap(UInt64.init) ?? 500
    for seed in only.map({ $0...$0 }) ?? 0...count {
      var run = GrantSequence(seed: seed)
      do throws(Violation) { try run.run() } catch {
        Issue.record("seed \(seed): \(error); run it again with ROUTER_SEED=\(seed)")
        return
      }
    }
  }

  @Test(arguments: GrantSequence.Fault.allCases) func `finds each fault of the list`(fault: GrantSequence.Fault) {
    let found = FaultSeeds.first(in: 3_000, for: "grants: \(fault)") { seed in
      var run = GrantSequence(seed: seed, fault: fault)
      return (try? run.run()) == nil
    }
    #expect(found != nil)
  }
}
