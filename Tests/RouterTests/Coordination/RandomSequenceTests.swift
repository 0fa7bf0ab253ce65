import FoundationEssentials
import Testing

@testable import Router

/// Random sequences of inputs, in which the machine must do what the model predicts and keep every promise.
///
/// `ROUTER_SEQUENCES` says how many; `ROUTER_SEED` runs one again and says what happened in it.
@Suite struct RandomSequenceTests {
  private static let shards = 4
  private static let environment = ProcessInfo.processInfo.environment
  private static let sequences = environment["ROUTER_SEQUENCES"].flatMap(UInt64.init) ?? 20_000
  private static let onlySeed = environment["ROUTER_SEED"].flatMap(UInt64.init)

  @Test(.enabled(if: onlySeed == nil), arguments: 0..<UInt64(shards))
  func `the machine does what the model says in every random sequence`(shard: UInt64) {
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

  @Test(.enabled(if: onlySeed != nil)) func `the seed that was asked for`() throws {
    let seed = try #require(Self.onlySeed)
    var run = SequenceRun(seed: seed, traces: true)
    do throws(Violation) {
      try run.run()
    } catch {
      Issue.record("seed \(seed): \(error)\n\((run.trace ?? []).joined(separator: "\n"))")
    }
  }

  @Test(arguments: Fault.allCases) func `a fault in the machine is found`(fault: Fault) {
    #expect(firstSeedThatFinds(fault, checks: .all, in: 3_000) != nil)
  }

  @Test(arguments: Fault.againstInvariants) func `a broken promise is found without the model`(fault: Fault) {
    #expect(firstSeedThatFinds(fault, checks: .invariants, in: 3_000) != nil)
  }

  private func firstSeedThatFinds(_ fault: Fault, checks: SequenceRun.Checks, in seeds: UInt64) -> UInt64? {
    (0..<seeds).first { seed in
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
