import Foundation
import Router
import RouterCore
import RouterLog
import TestSupport

@testable import routerd

/// A daemon, its disk, and thirty programs and people, for a number of prompts.
final class Simulation: @unchecked Sendable {
  /// What happens in a run.
  struct Plan: Sendable {
    var prompts = 200
    var requesters = 20
    var people = 4
    /// The mean time between crashes and other faults; `nil` for none.
    var faults: Duration? = .seconds(20)
    /// The mean time between prunings; `nil` for none.
    var prunings: Duration?
  }

  private final class Life {
    weak var coordinator: PresentationCoordinator?
    weak var log: AuditLog?

    init(_ daemon: SimulatedDaemon) { (coordinator, log) = (daemon.coordinator, daemon.log) }
  }

  let world: World
  let plan: Plan
  let disk = SimulatedDisk()
  let facts = Facts()
  private(set) var daemon: SimulatedDaemon?
  private let base: TemporaryDirectory
  private var directories: [String] = []
  private var lives: [Life] = []
  private(set) var crashCount = 0
  /// The number of the process's life.
  var life: Int { lives.count }
  /// How the process must end after the current job.
  private var end: End?
  /// Whether the daemon is being stopped.
  private(set) var isStopping = false
  /// Whether the programs begin something new.
  private(set) var isOpen = true
  private(set) var promptCount = 0
  private(set) var eventCount = 0

  private enum End { case kill, powerFailure, terminate }

  init(seed: UInt64, _ plan: Plan = Plan()) throws {
    (world, self.plan) = (World(seed: seed), plan)
    base = try TemporaryDirectory()
    SimulatedVFS.restart(seed: seed)
  }

  deinit { for directory in directories { SimulatedVFS.remove(directory) } }

  /// Runs until the prompts have ended and the daemon has stopped, and checks the record.
  ///
  /// - Returns: What did not hold.
  func run() async throws -> [String] {
    let violations = try simulate()
    guard violations.isEmpty else { return violations }
    let record = base.file("record")
    try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
    try disk.export(to: record)
    let reader = try AuditReader(path: record + "/log.db")
    var events: [AuditEvent] = []
    while case let page = try await reader.events(after: events.last?.seq ?? 0, limit: 10_000), !page.isEmpty { events += page }
    eventCount = events.count
    var found = try facts.contradictions(to: events, isPruned: plan.prunings != nil)
    let verification = try await reader.verify()
    if !verification.faults.isEmpty { found.append("the record is not intact: \(verification)") }
    if disk.contains(Array(Facts.secret.utf8)) { found.append("a secret is on the disk") }
    return found
  }

  /// Lives until the prompts have ended, and stops.
  private func simulate() throws -> [String] {
    let requesters = (0..<plan.requesters).map { Requester(self, number: $0) }
    let people = (0..<plan.people).map { Person(self, number: $0) }
    let others: [Program] = [Administrator(self, number: 0), LogReader(self, number: 0)]
    for program in requesters + people + others as [Program] { program.begin() }
    planFault()
    try live { self.promptCount >= self.plan.prompts }
    isOpen = false
    // People go on until the last requester has its outcome.
    try live(for: .seconds(4 * 3600)) { requesters.allSatisfy(\.isDone) }
    for requester in requesters where !requester.isDone { world.violate("\(requester.name) waits forever: \(requester.state)") }
    if world.violations.isEmpty { try stop() }
    daemon = nil
    for (number, life) in lives.enumerated() {
      if life.coordinator != nil { world.violate("the coordinator of life \(number) is retained") }
      if life.log != nil { world.violate("the log of life \(number) is retained") }
    }
    return world.violations
  }

  /// Lets the programs live, with daemons that start again, until a condition holds.
  private func live(for limit: Duration = .seconds(1_000_000), until isDone: () -> Bool) throws {
    let last = world.now + limit
    while world.violations.isEmpty, world.now < last, !isDone() {
      guard daemon != nil || start() else { continue }
      world.run(for: max(.zero, last - world.now)) { end != nil || disk.hasCrashed || isDone() }
      guard world.violations.isEmpty, end != nil || disk.hasCrashed else { continue }
      try finishLife()
    }
  }

  // MARK: Lives

  /// Starts the daemon. Returns whether it runs.
  private func start() -> Bool {
    let directory = base.file("\(directories.count)")
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    SimulatedVFS.add(directory, on: disk)
    directories.append(directory)
    do {
      daemon = try SimulatedDaemon.start(
        in: world, directory: directory, configuration: configuration(directory), sender: CallbackTaker(self))
    } catch {
      world.tell("cannot start: \(error)")
    }
    guard let daemon, !disk.hasCrashed else {
      daemon?.die()
      daemon = nil
      if disk.hasCrashed { crash(isMachine: world.random.chance(50)) }
      // As the service manager waits.
      let next = world.now + .seconds(1)
      world.run { world.now >= next }
      return false
    }
    world.tell("started")
    lives.append(Life(daemon))
    return true
  }

  private func configuration(_ directory: String) -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: "", database: directory + "/log.db")
    for role in Role.allCases { configuration.access[role].users = role == .admin ? [0] : [0, 1000, 1001, 1002] }
    configuration.attachmentsPerMinute = 10_000
    return configuration
  }

  private func finishLife() throws {
    let end = end ?? (world.random.chance(50) ? .kill : .powerFailure)
    self.end = nil
    world.tell("ends: \(end)")
    if end == .terminate, !disk.hasCrashed {
      try stop()
    } else {
      crash(isMachine: end == .powerFailure)
    }
    daemon = nil
    // A restart takes a moment, in which programs try to connect.
    let next = world.now + .milliseconds(world.random.below(4000))
    world.run { world.now >= next }
  }

  private func stop() throws {
    isStopping = true
    defer { isStopping = false }
    try daemon?.stop()
  }

  private func crash(isMachine: Bool) {
    crashCount += 1
    world.tell("crash: machine \(isMachine), \(disk.files.map { "\($0.key) \($0.value.content.count)" })")
    disk.crash(machine: &world.random, isMachine: isMachine)
    world.tell("after: \(disk.files.map { "\($0.key) \($0.value.content.count)" })")
    daemon?.die()
  }

  private func planFault() {
    guard let faults = plan.faults else { return }
    world.after(world.random.duration(around: faults)) { [self] in
      if isOpen { cause() }
      planFault()
    }
  }

  private func cause() {
    let after = world.random.below(60)
    switch world.random.below(11) {
    case 0: end = .kill
    case 1: end = .powerFailure
    case 2: end = .terminate
    case 3, 4: disk.fault = SimulatedDisk.Fault(after: after, isShort: world.random.chance(50))
    case 5: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: after % 5)
    case 6:
      disk.fault = SimulatedDisk.Fault(
        operations: [.write], after: after, count: 1 + after % 20, code: SQLiteCode.full, isShort: true)
    case 7: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: after % 5, count: 1 + after % 3)
    case 8: disk.fault = SimulatedDisk.Fault(operations: [.write, .read], after: after, count: 1 + after % 5)
    // The crash comes before the log is tried again.
    case 9: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: after % 5, count: 1, crashesAfter: after % 3)
    default: world.wallOffset += .seconds(world.random.below(20_000) - 10_000)
    }
    world.tell("fault: \(String(describing: disk.fault))")
  }

  // MARK: For programs

  func connect(_ peer: Peer, _ client: HTTPClient) -> Connection? {
    guard let daemon else { return nil }
    return try? daemon.connect(peer, to: client)
  }

  /// Returns the number of the next prompt.
  func nextPrompt() -> Int {
    promptCount += 1
    return promptCount
  }
}

enum SQLiteCode {
  static let full: CInt = 13
}
