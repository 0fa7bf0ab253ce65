import FoundationEssentials
import RouterCore
import Testing

/// Random input sequences: the machine must match the model's predictions and keep every invariant.
///
/// `ROUTER_SEQUENCES` sets the number of sequences. `ROUTER_SEED` reruns one and prints its trace.
/// Promises P31, P38, P40.
@Suite struct RandomSequenceTests {
  private static let shards = 4
  private static let environment = ProcessInfo.processInfo.environment
  private static let sequences = environment["ROUTER_SEQUENCES"].flatMap(UInt64.init) ?? 5_000
  private static let onlySeed = environment["ROUTER_SEED"].flatMap(UInt64.init)

  @Test(.enabled(if: onlySeed == nil), arguments: 0..<UInt64(shards))
  func `matches the model in random sequences`(shard: UInt64) {
    for seed in stride(from: shard, to: Self.sequences, by: Self.shards) {
      var run = SequenceRun(seed: seed)
      do throws(Violation) {
        try run.run()
      } catch {
        Issue.record("seed \(seed): \(error); run it again with ROUTER_SEED=\(seed)")
        return
      }
    }
  }

  @Test(.enabled(if: onlySeed != nil)) func `reruns the sequence of ROUTER_SEED`() throws {
    let seed = try #require(Self.onlySeed)
    var run = SequenceRun(seed: seed, traces: true)
    do throws(Violation) {
      try run.run()
    } catch {
      Issue.record("seed \(seed): \(error)\n\((run.trace ?? []).joined(separator: "\n"))")
    }
  }

  @Test(arguments: Fault.allCases) func `detects each injected fault`(fault: Fault) {
    #expect(firstSeedThatFinds(fault, checks: .all, in: 3_000) != nil)
  }

  @Test(arguments: Fault.againstInvariants) func `detects broken invariants without the model`(fault: Fault) {
    #expect(firstSeedThatFinds(fault, checks: .invariants, in: 3_000) != nil)
  }

  private func firstSeedThatFinds(_ fault: Fault, checks: SequenceRun.Checks, in seeds: UInt64) -> UInt64? {
    FaultSeeds.first(in: seeds, for: checks == .all ? fault.rawValue : "\(fault), by invariants") { seed in
      var run = SequenceRun(seed: seed, fault: fault, checks: checks)
      do throws(Violation) {
        try run.run()
        return false
      } catch {
        return true
      }
    }
  }
}
