import Foundation
import Testing

/// Whole daemons over a simulated world, from seeds.
@Suite(.serialized)
struct SimulatorTests {
  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }

  @Test func `keeps its promises in random worlds`() async throws {
    let seed = Self.number("ROUTER_SEED") ?? .random(in: 0...UInt64.max >> 1)
    let count = Self.number("ROUTER_SIMULATIONS") ?? 5
    var (prompts, crashes) = (0, 0)
    let clock = ContinuousClock()
    let start = clock.now
    for seed in seed..<seed + count {
      let simulation = try Simulation(seed: seed)
      simulation.world.keepsStory = ProcessInfo.processInfo.environment["ROUTER_STORY"] != nil
      let violations = try await simulation.run()
      if !violations.isEmpty { print(simulation.world.story.joined(separator: "\n")) }
      #expect(violations.isEmpty, "ROUTER_SEED=\(seed)")
      prompts += simulation.promptCount
      crashes += simulation.crashCount
      print(seed, simulation.world.stepCount, simulation.world.now, simulation.facts.statuses)
    }
    print("\(prompts) prompts and \(crashes) crashes in \(clock.now - start)")
  }

  /// Promise P94.
  @Test(.enabled(if: hashesTheSame, "SWIFT_DETERMINISTIC_HASHING is not set"))
  func `repeats a run from its seed, event by event`() async throws {
    var (traces, records) = ([UInt64](), [[String: Int]]())
    for _ in 0..<2 {
      let simulation = try Simulation(seed: 1)
      #expect(try await simulation.run() == [])
      traces.append(simulation.world.trace)
      records.append(simulation.disk.digests)
    }
    #expect(traces[0] == traces[1] && records[0] == records[1])
  }
}

/// Whether dictionaries have the same order in each run.
private let hashesTheSame = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil
