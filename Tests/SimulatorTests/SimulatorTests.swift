import Foundation
import Testing

/// Whole daemons over a simulated world, from seeds.
@Suite(.serialized)
struct SimulatorTests {
  private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test(arguments: [1, 3])
  func `keeps its promises in random worlds`(hosts: Int) async throws {
    let first = Self.variable("ROUTER_SEED").flatMap(UInt64.init) ?? .random(in: 0...UInt64.max >> 1)
    let count = Self.variable("ROUTER_SIMULATIONS").flatMap(UInt64.init) ?? 5
    var (prompts, events, crashes) = (0, 0, 0)
    let start = ContinuousClock.now
    for seed in first..<first + count {
      var plan = Simulation.Plan()
      plan.hosts = hosts
      let simulation = try Simulation(seed: seed, plan)
      simulation.world.keepsStory = Self.variable("ROUTER_STORY") != nil
      let violations = try await simulation.run()
      if !violations.isEmpty { print(simulation.world.story.joined(separator: "\n")) }
      #expect(violations == [], "ROUTER_SEED=\(seed)")
      prompts += simulation.promptCount
      events += simulation.eventCount
      crashes += simulation.crashCount
    }
    let time = ContinuousClock.now - start
    print("simulated \(prompts) prompts, \(events) events and \(crashes) crashes of \(hosts) hosts in \(time)")
  }

  @Test(.enabled(if: hashesTheSame, "SWIFT_DETERMINISTIC_HASHING is not set"), arguments: [1, 3])
  func `repeats a run from its seed, event by event`(hosts: Int) async throws {
    var (traces, records) = ([UInt64](), [[[String: Int]]]())
    for _ in 0..<2 {
      var plan = Simulation.Plan()
      plan.hosts = hosts
      let simulation = try Simulation(seed: 1, plan)
      #expect(try await simulation.run() == [])
      traces.append(simulation.world.trace)
      records.append(simulation.machines.map(\.disk.digests))
    }
    #expect(traces[0] == traces[1] && records[0] == records[1])
  }
}

/// Whether dictionaries have the same order in each run.
private let hashesTheSame = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil
