import Foundation
import Router
import RouterCore
import TestSupport

@testable import RouterLog
@testable import routerd

/// One daemon, or three that share a surface, and the programs and people that use them, for a number of prompts.
final class Simulation: @unchecked Sendable {
  /// What happens in a run.
  struct Plan: Sendable {
    var prompts = 200
    var requesters = 20
    var people = 4
    /// The number of hosts; several share the surface `main`.
    var hosts = 1
    /// The mean time between crashes and other faults; `nil` for none.
    var faults: Duration? = .seconds(20)
    /// The first fault of the disks.
    var fault: SimulatedDisk.Fault?
    /// The number of the thread that does not start.
    var failingThread: Int?
  }

  let world: World
  let plan: Plan
  let facts = Facts()
  private(set) var machines: [Machine] = []
  private let ledger: SimulatedLedger?
  /// Whether the programs begin something new.
  private(set) var isOpen = true
  private(set) var promptCount = 0
  private(set) var eventCount = 0

  init(seed: UInt64, _ plan: Plan = Plan()) throws {
    (world, self.plan) = (World(seed: seed), plan)
    ledger = plan.hosts > 1 ? SimulatedLedger(world) : nil
    SimulatedVFS.restart(seed: seed)
    let sender = CallbackTaker(world, facts)
    machines = try (0..<plan.hosts).map { try Machine("host\($0)", in: world, ledger: ledger, sender: sender) }
  }

  var crashCount: Int { machines.reduce(0) { $0 + $1.crashCount } }

  /// Runs until the prompts have ended and the daemons have stopped, and checks the records.
  ///
  /// - Returns: What did not hold.
  func run() async throws -> [String] {
    let violations = try simulate()
    world.close()
    guard violations.isEmpty else { return violations }
    var (logs, found) = ([[AuditEvent]](), [String]())
    let shared = try ledger?.records.map { try AuditEvent($0) }
    for machine in machines {
      for path in try machine.exportRecords() {
        let reader = try AuditReader(path: path)
        let verification = try await reader.verify()
        if !verification.faults.isEmpty {
          found.append("\(machine.name): \(path) is not intact: \(verification.faults)")
        }
        guard path.hasSuffix("/log.db") else { continue }
        var events: [AuditEvent] = []
        while case let page = try await reader.events(after: events.last?.seq ?? 0, limit: 10_000), !page.isEmpty {
          events += page
        }
        logs.append(events)
      }
      if machine.disk.contains(Array(Facts.secret.utf8)) { found.append("a secret is on the disk of \(machine.name)") }
    }
    eventCount = logs.reduce(shared?.count ?? 0) { $0 + $1.count }
    return found + (try facts.contradictions(to: shared, logs))
  }

  /// Lives until the prompts have ended, and stops.
  private func simulate() throws -> [String] {
    let requesters = (0..<plan.requesters).map { Requester(self, number: $0) }
    let people = (0..<plan.people * plan.hosts).map { Person(self, number: $0) }
    let others = machines.indices.flatMap { [Administrator(self, number: $0), LogReader(self, number: $0)] as [Program] }
    for program in requesters + people + others as [Program] { program.begin() }
    for machine in machines { machine.disk.fault = plan.fault }
    world.threadsLeft = plan.failingThread
    planFault()
    try live { self.promptCount >= self.plan.prompts }
    isOpen = false
    // People go on until the last requester has its outcome.
    try live(for: .seconds(3600)) { requesters.allSatisfy(\.isDone) }
    for requester in requesters where !requester.isDone { world.violate("\(requester.name) waits forever: \(requester.state)") }
    if world.violations.isEmpty { for machine in machines { try machine.stop() } }
    return world.violations
  }

  /// Lets the programs live, with daemons that start again, until a condition holds.
  private func live(for limit: Duration = .seconds(1_000_000), until isDone: () -> Bool) throws {
    let last = world.now + limit
    while world.violations.isEmpty, world.now < last, !isDone() {
      for machine in machines { try machine.care() }
      world.run(for: max(.zero, last - world.now)) { machines.contains(where: \.needsCare) || isDone() }
    }
  }

  private func planFault() {
    guard let faults = plan.faults else { return }
    world.after(world.random.duration(around: faults / plan.hosts)) { [self] in
      if isOpen { world.random.pick(machines).fail() }
      planFault()
    }
  }

  /// Returns the number of the next prompt.
  func nextPrompt() -> Int {
    promptCount += 1
    return promptCount
  }
}
