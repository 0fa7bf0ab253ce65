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
  let directory: String
  let loop = EmbeddedEventLoop()
  private let executor: LoopExecutor
  private let startTime: Duration
  private var isListening = true
  /// Whether the event loop may have a job.
  private(set) var isReady = true
  private var threads: [SimulatedThread] = []
  private(set) var coordinator: PresentationCoordinator!
  private(set) var log: AuditLog!
  private(set) var routes: RouteTable!
  private(set) var worker: SimulatedThread!
  private(set) var connections: [Connection] = []
  private let live: LiveConfiguration
  private let logger = Logger(label: "simulated") { _ in SwiftLogNoOpLogHandler() }
  private let configuration: DaemonConfiguration

  /// Opens the log and restores what is open.
  ///
  /// - Throws: The error of a daemon that cannot start.
  static func start(
    in world: World, directory: String, configuration: DaemonConfiguration, sender: (any CallbackSender)?
  ) throws -> SimulatedDaemon? {
    let daemon = SimulatedDaemon(world, directory, configuration)
    do {
      return try world.wait(on: daemon.worker) { try await daemon.start(sender) } == nil ? nil : daemon
    } catch {
      daemon.die()
      throw error
    }
  }

  private init(_ world: World, _ directory: String, _ configuration: DaemonConfiguration) {
    (self.world, self.directory, self.configuration) = (world, directory, configuration)
    executor = LoopExecutor(loop)
    startTime = world.now
    live = LiveConfiguration(configuration)
    world.add(self as any World.Actor)
    world.add(self as any World.Watcher)
    worker = thread()
  }

  // MARK: The event loop

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

  private func thread() -> SimulatedThread {
    let thread = SimulatedThread()
    threads.append(thread)
    world.add(thread)
    return thread
  }

  private func start(_ sender: (any CallbackSender)?) async throws {
    let ids = PresentationIDGenerator { self.world.random.next() }
    log = try AuditLog(
      path: configuration.database, durability: configuration.durability, clock: world.clock,
      startThread: { () throws(RouterError) in self.thread() })
    var policy = PresentationSurfaces.Policy(
      limits: configuration.limits, selfAnswer: configuration.forbidSelfAnswer, grants: configuration.grants)
    (policy.own, policy.approvers) = (Self.process, Approvers(configuration))
    coordinator = try await PresentationCoordinator(
      log: log, clock: world.clock, policy: policy, grace: .seconds(configuration.graceSeconds), callbackSender: sender,
      callbacks: configuration.callbacks, app: "routerd", logger: logger,
      attachmentsPerMinute: configuration.attachmentsPerMinute, boot: nil, executor: executor, ids: ids, process: Self.process)
    let keeper = Coordinators.Keeper(coordinator, log, try AuditReader(log))
    let names = try UserNames(
      startThread: { () throws(RouterError) in self.thread() }, now: world.clock.now, lookUp: { "user\($0)" })
    routes = RouteTable(
      coordinators: Coordinators(keeper, worker: worker), configuration: live, worker: worker, names: names,
      rulebook: Rulebook(configuration, local: keeper, names: names, worker: worker, logger: logger))
  }

  /// Accepts a connection. The peer is what the kernel would say of it.
  func connect(_ peer: Peer, to client: any ConnectionClient) throws -> Connection? {
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

  /// Shuts down as on SIGTERM, and closes the log.
  func stop() throws {
    try world.wait(on: worker) { [coordinator] in await coordinator?.shutDown() }
    isListening = false
    for connection in connections { connection.quiesce() }
    world.run(for: .seconds(configuration.shutdownSeconds)) { self.connections.allSatisfy(\.isOver) }
    try world.wait(on: worker) { [log] in await log?.close() }
    die()
  }

  /// Ends the process, whatever it does: its clients see closed connections, and its jobs reach nobody any more. The jobs are still
  /// run, so that what they retain is released.
  func die() {
    for connection in connections { connection.die() }
    world.remove(self as any World.Actor)
    world.remove(self as any World.Watcher)
    for thread in threads { world.remove(thread) }
    // A coordinator, its requesters and its presenters refer to each other until it stops.
    Task(executorPreference: worker) { [coordinator] in await coordinator?.shutDown() }
    drain()
    coordinator?.enter { coordinator in
      coordinator.stop()
      coordinator.screens = Screens()
    }
    drain()
    try? loop.syncShutdownGracefully()
    for thread in threads { thread.close() }
    (coordinator, log, routes) = (nil, nil, nil)
    connections = []
  }

  private func drain() {
    for _ in 0..<20_000 {
      loop.run()
      guard let thread = threads.first(where: \.isReady) else { return }
      thread.step()
    }
  }
}
