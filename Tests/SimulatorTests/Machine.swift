import Foundation
import Router
import TestSupport

@testable import routerd

/// A computer with its disk, and the daemon that runs there in one life after the other.
final class Machine {
  /// How a life of the daemon's process ends.
  enum End { case kill, powerFailure, terminate }

  private final class Life {
    weak var log: AuditLog?
    let coordinators: [() -> PresentationCoordinator?]

    init(_ daemon: SimulatedDaemon) {
      log = daemon.log
      coordinators = daemon.coordinators.map { coordinator in { [weak coordinator] in coordinator } }
    }

    var isRetained: Bool { log != nil || coordinators.contains { $0() != nil } }
  }

  let name: String
  let world: World
  let disk = SimulatedDisk()
  private let base: TemporaryDirectory
  private let ledger: SimulatedLedger?
  private let sender: any CallbackSender
  private(set) var daemon: SimulatedDaemon?
  private var directories: [String] = []
  private var lives: [Life] = []
  private(set) var crashCount = 0
  /// How the process must end after the current job.
  private var end: End?
  /// Whether the daemon is being stopped.
  private(set) var isStopping = false
  /// The time from which it runs again.
  private var startTime = Duration.zero

  init(_ name: String, in world: World, ledger: SimulatedLedger?, sender: any CallbackSender) throws {
    (self.name, self.world, self.ledger, self.sender) = (name, world, ledger, sender)
    base = try TemporaryDirectory()
  }

  deinit { for directory in directories { SimulatedVFS.remove(directory) } }

  /// The number of the process's life.
  var life: Int { lives.count }

  /// Whether something is to do besides the jobs of the daemon.
  var needsCare: Bool { end != nil || disk.hasCrashed || daemon == nil && world.now >= startTime }

  func end(_ end: End) { self.end = end }

  /// Ends or starts the daemon, if it is time.
  func care() throws {
    guard daemon != nil else {
      end = nil
      return world.now >= startTime ? start() : ()
    }
    guard end != nil || disk.hasCrashed else { return }
    let end = disk.hasCrashed ? (world.random.chance(50) ? .kill : .powerFailure) : self.end ?? .kill
    self.end = nil
    world.tell("\(name) ends: \(end)")
    if end == .terminate { try terminate() }
    // Also while it was stopping.
    if end != .terminate || disk.hasCrashed { crash(isMachine: end == .powerFailure) }
    daemon = nil
    startTime = world.now + .milliseconds(world.random.below(4000))
  }

  private func terminate() throws {
    isStopping = true
    defer { isStopping = false }
    try daemon?.stop()
  }

  func stop() throws {
    try terminate()
    daemon = nil
    if lives.contains(where: \.isRetained) { world.violate("\(name): a life is retained") }
  }

  private func start() {
    let directory = base.file("\(directories.count)")
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    SimulatedVFS.add(directory, on: disk)
    directories.append(directory)
    var started: SimulatedDaemon?
    do {
      let member = ledger.map { SharedMember($0, host: name, in: world) }
      started = try SimulatedDaemon.start(in: world, configuration: configuration(directory), member: member, sender: sender)
    } catch {
      world.tell("\(name) cannot start: \(error)")
    }
    guard let started, !disk.hasCrashed else {
      started?.die()
      if disk.hasCrashed { crash(isMachine: world.random.chance(50)) }
      // As the service manager waits.
      startTime = world.now + .seconds(1)
      return
    }
    world.tell("\(name) started")
    disk.crashed = { [weak started] in started?.freeze() }
    daemon = started
    lives.append(Life(started))
  }

  private func crash(isMachine: Bool) {
    crashCount += 1
    disk.crash(machine: &world.random, isMachine: isMachine)
    daemon?.die()
  }

  private func configuration(_ directory: String) -> DaemonConfiguration {
    var configuration = DaemonConfiguration(socket: "", database: directory + "/log.db")
    configuration.grants.always = true
    for role in Role.allCases { configuration.access[role].users = role == .admin ? [0] : [0, 1000, 1001, 1002] }
    configuration.attachmentsPerMinute = 10_000
    configuration.shared.people = People()
    return configuration
  }

  /// Causes a fault of the disk, the process, the clock or the network.
  func fail() {
    let random = world.random.below(60)
    switch world.random.below(ledger == nil ? 11 : 13) {
    case 0: end = .kill
    case 1: end = .powerFailure
    case 2: end = .terminate
    case 3, 4: disk.fault = SimulatedDisk.Fault(after: random, isShort: world.random.chance(50))
    case 5: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: random % 5)
    case 6:
      disk.fault = SimulatedDisk.Fault(
        operations: [.write], after: random, count: 1 + random % 20, code: SimulatedDisk.full, isShort: true)
    case 7: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: random % 5, count: 1 + random % 3)
    case 8: disk.fault = SimulatedDisk.Fault(operations: [.write, .read], after: random, count: 1 + random % 5)
    // The crash comes before the log is tried again.
    case 9: disk.fault = SimulatedDisk.Fault(operations: [.sync], after: random % 5, count: 1, crashesAfter: random % 3)
    case 10: if ledger == nil { world.wallOffset += .seconds(world.random.below(20_000) - 10_000) }
    default: daemon?.member?.lose(for: .milliseconds(random * 200))
    }
    world.tell("\(name) has a fault: \(String(describing: disk.fault))")
  }

  /// Writes the records of the last life to a real directory, and returns their paths.
  func exportRecords() throws -> [String] {
    let directory = base.file("record")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    try disk.export(to: directory)
    return disk.files.keys.filter { $0.hasSuffix(".db") }.sorted().map { directory + "/" + $0 }
  }
}
