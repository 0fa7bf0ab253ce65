import Foundation
import Testing

/// Whole daemons over a simulated world, from seeds.
/// Promise P94.
@Suite(.serialized)
struct SimulatorTests {
  private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test(arguments: [1, 3])
  func `keeps its promises in random worlds`(hosts: Int) async throws {
    let first = Self.variable("ROUTER_SEED").flatMap(UInt64.init) ?? 1
    let count = Self.variable("ROUTER_SIMULATIONS").flatMap(UInt64.init) ?? (hosts == 1 ? 10 : 4)
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

  /// A small story, in which one thing fails after the other.
  private static let story: Simulation.Plan = {
    var plan = Simulation.Plan()
    (plan.prompts, plan.requesters, plan.people, plan.faults) = (8, 3, 2, nil)
    return plan
  }()

  @Test func `survives the failure of each operation of the disk`() async throws {
    let whole = try Simulation(seed: 1, Self.story)
    #expect(try await whole.run() == [])
    let count = whole.machines[0].disk.operationCount
    let kinds: [(Int) -> SimulatedDisk.Fault] = [
      { SimulatedDisk.Fault(after: $0, count: 1) }, { SimulatedDisk.Fault(after: $0, count: 1, code: SimulatedDisk.full) },
      { SimulatedDisk.Fault(after: $0, count: 3, isShort: true) }, { SimulatedDisk.Fault(after: $0) },
      { SimulatedDisk.Fault(after: $0, isShort: true) },
    ]
    let isLong = Self.variable("ROUTER_LONG") != nil
    // Otherwise every fourth operation, and the kinds take turns.
    for number in stride(from: 0, to: count, by: isLong ? 1 : 4) {
      for (index, kind) in kinds.enumerated() where isLong || index == number / 4 % kinds.count {
        var plan = Self.story
        plan.fault = kind(number)
        #expect(try await Simulation(seed: 1, plan).run() == [], "operation \(number) of \(count), \(kind(number))")
      }
    }
  }

  @Test func `survives each thread that does not start`() async throws {
    for number in 0..<10 {
      var plan = Self.story
      plan.failingThread = number
      let simulation = try Simulation(seed: 1, plan)
      #expect(try await simulation.run() == [], "thread \(number)")
      let hasFailed = simulation.world.threadsLeft == nil
      #expect(hasFailed == (number < 5), "a daemon has another number of threads now")
    }
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
