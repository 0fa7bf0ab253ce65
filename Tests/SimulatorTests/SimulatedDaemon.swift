import Foundation
import Logging
import NIOCore
import NIOEmbedded
import RouterSystem

@testable import Router
@testable import routerd

/// A daemon's log, coordinator, routes and connections, in one life of its process.
final class SimulatedDaemon: World.Actor, World.Watcher, @unchecked Sendable {
  /// The daemon is on record, whose size must not depend on the process that simulates.
  private static let process = ProcessIdentity(uid: 0, gid: 0, pid: 7_999_999, executable: "/usr/bin/routerd", directory: "/")

  let world: World
  let loop = EmbeddedEventLoop()
  private let executor: LoopExecutor
  private let startTime: Duration
  private var isListening = true
  /// Whether the event loop may have a job.
  private(set) var isReady = true
  private var threads: [SimulatedThread] = []
  /// The keepers of the machine's surfaces and of the shared one.
  private var keepers: [Coordinators.Keeper] = []
  let member: SharedMember?
  private(set) var routes: RouteTable!
  private let worker = SimulatedThread()
  private(set) var connections: [Connection] = []
  private let live: LiveConfiguration
  private let logger = Logger(label: "simulated") { _ in SwiftLogNoOpLogHandler() }
  private let configuration: DaemonConfiguration

  /// Opens the log and restores what is open.
  ///
  /// - Throws: The error of a daemon that cannot start.
  static func start(
    in world: World, configuration: DaemonConfiguration, member: SharedMember?, sender: any CallbackSender
  ) throws -> SimulatedDaemon? {
    let daemon = SimulatedDaemon(world, configuration, member)
    do {
      return try world.wait(on: daemon.worker) { try await daemon.start(sender) } == nil ? nil : daemon
    } catch {
      daemon.die()
      throw error
    }
  }

  private init(_ world: World, _ configuration: DaemonConfiguration, _ member: SharedMember?) {
    (self.world, self.configuration, self.member) = (world, configuration, member)
    executor = LoopExecutor(loop)
    startTime = world.now
    live = LiveConfiguration(configuration)
    world.add(self as any World.Actor)
    world.add(self as any World.Watcher)
    threads.append(worker)
    world.add(worker)
  }

  func step() {
    isReady = false
    loop.run()
    collect()
  }

  func jobDone() { isReady = true }

  func timePassed(_ now: Duration) {
    loop.advanceTime(to: .uptimeNanoseconds(0) + TimeAmount(now - startTime))
    collect()
    isReady = true
  }

  private func collect() {
    for connection in connections { connection.collect() }
  }

  private func thread() throws(RouterError) -> SimulatedThread {
    let thread = try world.startThread()
    threads.append(thread)
    return thread
  }

  var coordinators: [PresentationCoordinator] { keepers.map(\.coordinator) }
  var log: AuditLog? { keepers.first?.log }

  private func start(_ sender: any CallbackSender) async throws {
    let local = try await keep(configuration.database, sender)
    let names = try UserNames(
      startThread: { () throws(RouterError) in try self.thread() }, now: world.clock.now, lookUp: { "user\($0)" })
    let sharing = member.map { member in
      Coordinators.Sharing(host: member.host, surfaces: [SimulatedLedger.surface], limit: 256) { surface in
        try await self.join(surface, member, sender)
      }
    }
    let coordinators = Coordinators(local, sharing: sharing, worker: worker)
    if sharing != nil { _ = try await coordinators.joined(SimulatedLedger.surface, for: .configuration) }
    routes = RouteTable(
      coordinators: coordinators, configuration: live, worker: worker, names: names,
      rulebook: Rulebook(configuration, local: local, names: names, worker: worker, logger: logger))
  }

  private func join(_ surface: String, _ member: SharedMember, _ sender: any CallbackSender) async throws -> Coordinators.Keeper
  {
    let path = configuration.database.parentDirectory + "/\(surface).db"
    let keeper = try await keep(path, sender, SharedSurface(name: surface, host: member.host, link: member), member)
    await withCheckedContinuation { continuation in
      member.join(keeper.coordinator, keeper.log) { continuation.resume() }
    }
    return keeper
  }

  /// Opens a log, with its coordinator.
  private func keep(
    _ path: String, _ sender: any CallbackSender, _ shared: SharedSurface? = nil, _ primary: (any PrimaryLog)? = nil
  ) async throws -> Coordinators.Keeper {
    let ids = PresentationIDGenerator { self.world.random.next() }
    let log = try AuditLog(
      path: path, durability: shared == nil ? configuration.durability : .relaxed, clock: world.clock, primary: primary,
      startThread: { () throws(RouterError) in try self.thread() })
    var policy = PresentationSurfaces.Policy(
      limits: configuration.limits, selfAnswer: configuration.forbidSelfAnswer, grants: configuration.grants)
    (policy.own, policy.approvers, policy.people) = (Self.process, Approvers(configuration), configuration.shared.people)
    let coordinator = try await PresentationCoordinator(
      log: log, clock: world.clock, policy: policy, grace: .seconds(configuration.graceSeconds), callbackSender: sender,
      callbacks: configuration.callbacks, app: "routerd", logger: logger,
      attachmentsPerMinute: configuration.attachmentsPerMinute, boot: nil, shared: shared, executor: executor, ids: ids,
      process: Self.process)
    let keeper = Coordinators.Keeper(coordinator, log, try AuditReader(log))
    keepers.append(keeper)
    return keeper
  }

  /// Accepts a connection. The peer is what the kernel would say of it.
  func connect(_ peer: Peer, to client: HTTPClient) throws -> Connection? {
    guard isListening else { return nil }
    let channel = EmbeddedChannel(loop: loop)
    try ConnectionHandler(
      limits: configuration.connections, maximumBody: configuration.bodyBytes, executor: executor, worker: worker,
      logger: logger
    ) { [routes] request, exchange in
      routes?.answer(request, from: peer, on: exchange)
    }.add(to: channel)
    channel.connect(to: try SocketAddress(unixDomainSocketPath: "/simulated"), promise: nil)
    let connection = Connection(channel, client, world)
    connections.removeAll(where: \.isOver)
    connections.append(connection)
    world.add(connection)
    return connection
  }

  /// Puts rules in force, as `Rulebook` does after reading the file.
  func load(_ rules: [Rule]) {
    let loaded = Event.RulesLoaded(RuleSet(file: "/rules.yaml", text: "\(rules.map(JSONText.init))", rules: rules))
    for coordinator in coordinators { coordinator.send { $0.load(loaded) } }
  }

  /// Shuts down as on SIGTERM, and closes the logs.
  func stop() throws {
    let coordinators = coordinators
    // As the daemon does not wait for a database that it cannot reach.
    let patience = world.after(.seconds(1)) { for coordinator in coordinators.dropFirst() { coordinator.send { $0.giveUp() } } }
    try world.wait(on: worker) {
      await withTaskGroup { group in for coordinator in coordinators { group.addTask { await coordinator.shutDown() } } }
    }
    world.cancel(patience)
    isListening = false
    for connection in connections { connection.quiesce() }
    world.run(for: .seconds(configuration.shutdownSeconds)) { self.connections.allSatisfy(\.isOver) }
    member?.leave()
    try world.wait(on: worker) { [logs = keepers.map(\.log)] in for log in logs { await log.close() } }
    die()
  }

  /// Reaches no client any more, as another machine may have its turn before this process is ended.
  func freeze() {
    isListening = false
    for connection in connections { world.remove(connection) }
  }

  /// Ends the process, whatever it does: its clients see closed connections, and its jobs reach nobody any more. The jobs are still
  /// run, so that what they retain is released.
  func die() {
    for connection in connections { connection.die() }
    member?.die()
    world.remove(self as any World.Actor)
    world.remove(self as any World.Watcher)
    for thread in threads { world.remove(thread) }
    // A coordinator, its requesters and its presenters refer to each other until it stops.
    for coordinator in coordinators {
      Task(executorPreference: worker) { await coordinator.shutDown() }
      drain()
      coordinator.enter { coordinator in
        coordinator.stop()
        coordinator.screens = Screens()
      }
    }
    drain()
    try? loop.syncShutdownGracefully()
    for thread in threads { thread.close() }
    (keepers, routes, connections) = ([], nil, [])
  }

  private func drain() {
    for _ in 0..<20_000 {
      loop.run()
      guard let thread = threads.first(where: \.isReady) else { return }
      thread.step()
    }
  }
}
