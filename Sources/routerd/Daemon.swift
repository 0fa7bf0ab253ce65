import FoundationEssentials
import Glibc
import Logging
import NIOCore
import Router
import RouterClient

/// The daemon: one coordinator on one log, behind one socket.
struct Daemon {
  let configuration: DaemonConfiguration
  /// Reads the configuration from the same sources as at the start.
  let reload: @Sendable () throws -> DaemonConfiguration
  private let live: LiveConfiguration
  private let logger: Logger

  init(_ configuration: DaemonConfiguration, reload: @escaping @Sendable () throws -> DaemonConfiguration) {
    self.configuration = configuration
    self.reload = reload
    let live = LiveConfiguration(configuration)
    self.live = live
    LoggingSystem.bootstrap { LiveLogHandler(label: $0, configuration: live) }
    logger = Logger(label: "routerd")
  }

  /// Serves until SIGTERM or SIGINT. Throws ``RouterError`` if it cannot start, or if the shutdown takes too long.
  func run() async throws {
    try Cryptography.load()
    // Started first, so that a missing thread fails the start instead of a later request.
    try PresentationClock.startTimer()
    try SocketReadiness.shared.start()
    let signals = try SignalStreams()
    let inherited = try InheritedSocket.take(askSocket: configuration.askSocket)
    let manager = ServiceManager.current(logger: logger)
    let descriptors = try DescriptorLimit.raise()
    // A separate budget: browsers must not use up programs' connections.
    let pageDescriptors = configuration.webAddress == nil ? 0 : min(256, descriptors / 2)
    let gate = ConnectionGate(descriptors: descriptors - pageDescriptors)
    let pageGate = ConnectionGate(descriptors: pageDescriptors)
    try Self.makeDirectory(configuration.database.parentDirectory)
    let log = try AuditLog(path: configuration.database, durability: configuration.durability)
    let socket =
      try inherited.main.map(ListeningSocket.init(inherited:))
      ?? ListeningSocket(path: configuration.socket, mode: configuration.socketMode, group: configuration.socketGroup)
    let askSocket = askSocket(inherited)
    let loop = try await LoopThread.start()
    let journal = try configuration.journal.socket.map {
      try Journal(path: $0, hasTexts: configuration.journal.hasTexts, logger: logger)
    }
    try await journal?.follow(log)
    let (executor, worker) = (LoopExecutor(loop), try ThreadExecutor())
    let coordinator = try await coordinator(log, executor)
    let local = Coordinators.Keeper(coordinator, log, try AuditReader(log))
    let names = try UserNames()
    let rulebook = Rulebook(configuration, local: local, names: names, worker: worker, logger: logger)
    let shared = try SharedSurfaces.make(configuration, logger: logger) { [self] log, surface in
      try await journal?.follow(log)
      let coordinator = try await self.coordinator(log, executor, surface)
      if let rules = rulebook.accepted { coordinator.send { $0.load(Event.RulesLoaded(rules)) } }
      return coordinator
    }
    let coordinators = Coordinators(local, sharing: shared?.sharing, worker: worker)
    try await rulebook.load(coordinators, configuration.approvers)
    let links = pageLinks()
    let table = RouteTable(
      coordinators: coordinators, configuration: live, worker: worker, links: links, names: names, rulebook: rulebook,
      journal: journal)
    let status =
      "Listening on \(socket.path)"
      + (links.map { ", page on http://\($0.address)" } ?? (configuration.webAddress == nil ? "" : ", without the page"))
    let channel = PeerChannel(routes: table, gate: gate, configuration: live, executor: executor, logger: logger)
    let asking = askSocket.map { askSocket in
      var narrow = channel
      narrow.narrow = Role.onlyAsking
      return ListenerService(
        name: askSocket.path, descriptor: askSocket.descriptor, loop: loop, answersHalfClosed: true, gate: gate,
        open: narrow.open, logger: logger, ready: { try askSocket.listen() }, stopping: { askSocket.remove() },
        ending: { await Self.shutDown(coordinators, shared, worker) })
    }
    let listener = ListenerService(
      name: socket.path, descriptor: socket.descriptor, loop: loop, answersHalfClosed: true, gate: gate, open: channel.open,
      logger: logger,
      ready: {
        // NIO has called listen(2) with a smaller backlog.
        try socket.listen()
        manager.ready(status)
      },
      stopping: {
        manager.stopping()
        socket.remove()
      }, ending: { await Self.shutDown(coordinators, shared, worker) })
    let retention = RetentionService(
      coordinators: coordinators, configuration: live, names: names, logger: logger, clock: .system)
    let reloading = ReloadService(
      hangUps: signals.hangUps, configuration: live, gate: gate, pageGate: pageGate, manager: manager, logger: logger,
      status: status, load: { [reload] in try await names.run(reload) },
      apply: { rule, approvers in
        for keeper in coordinators.all {
          keeper.coordinator.send { ($0.policy.selfAnswer, $0.policy.approvers) = (rule, approvers) }
        }
      },
      finish: {
        await retention.tidyGrants()
        try await rulebook.load(coordinators, live.current.approvers)
      })
    let watchdog = WatchdogService(
      microseconds: getenv("WATCHDOG_USEC").map { String(cString: $0) },
      process: getenv("WATCHDOG_PID").map { String(cString: $0) }, coordinator: coordinator, tell: manager.alive)
    let idle = IdleService(gates: [gate, pageGate], coordinators: coordinators, configuration: live, logger: logger)
    // Stopped in reverse order. The page comes first because its streams end with the coordinator.
    let page = try links.map { links in
      try pageListener(links, executor, table, pageGate, names) { await Self.shutDown(coordinators, shared, worker) }
    }
    // The journal stops last, to receive events of the other services' shutdown.
    let all: [(any Service)?] = [journal, page, asking, listener, reloading, retention, watchdog, idle]
    let known = shared?.join(coordinators) ?? []
    // Ends once all surfaces are joined, or with the daemon.
    let joining = Task(executorPreference: worker) {
      await shared?.wait(for: known)
      await shared?.joinOthers(coordinators)
      await retention.tidyShared()
    }
    try await ServiceRun(
      services: all.compactMap(\.self), terminations: signals.terminations,
      shutdownTime: .seconds(configuration.shutdownSeconds)
    ).run()
    joining.cancel()
    await shared?.stop()
    for keeper in coordinators.all { await keeper.log.close() }
    logger.notice("stopped")
  }

  /// The socket for asking; `nil` without one. If it cannot be created, the daemon still serves its other socket.
  private func askSocket(_ inherited: (main: InheritedSocket?, asking: InheritedSocket?)) -> ListeningSocket? {
    if let asking = inherited.asking { return ListeningSocket(inherited: asking) }
    // Another daemon may use the path beside the socket that systemd replaces.
    if let main = inherited.main, main.path != configuration.socket { return nil }
    do {
      return try configuration.askSocket
        .map {
          // A sandbox must not be able to keep the lock.
          try ListeningSocket(path: $0, mode: configuration.socketMode, group: configuration.socketGroup, isLocked: false)
        }
    } catch {
      logger.error("serving without the socket for asking", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// The page's socket and links; `nil` without a page. If the page's port is taken, the daemon still serves programs.
  private func pageLinks() -> WebLinks? {
    do {
      return try configuration.webAddress.map { WebLinks(socket: try LoopbackSocket($0)) }
    } catch {
      logger.error("serving without the page", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Creates the listener of the page, which can call only routes marked for the page.
  private func pageListener(
    _ links: WebLinks, _ executor: LoopExecutor, _ table: RouteTable, _ gate: ConnectionGate, _ names: UserNames,
    ending: @escaping @Sendable () async -> Void
  ) throws -> ListenerService {
    let access = WebAccess(
      links: links, key: try WebKey(path: configuration.database + ".web-key"),
      sessionTime: .seconds(configuration.webSessionSeconds), names: names)
    return ListenerService(
      name: "http://\(links.address)", descriptor: links.socket.descriptor, loop: executor.loop, answersHalfClosed: false,
      gate: gate,
      open: WebChannel(access: access, routes: table, gate: gate, configuration: live, executor: executor, logger: logger).open,
      logger: logger,
      ready: {}, stopping: {}, ending: ending)
  }

  /// Creates the coordinator of a log.
  private func coordinator(
    _ log: AuditLog, _ executor: LoopExecutor, _ shared: SharedSurface? = nil
  ) async throws -> PresentationCoordinator {
    var policy = PresentationSurfaces.Policy(
      limits: configuration.limits, selfAnswer: live.current.forbidSelfAnswer, grants: configuration.grants)
    (policy.own, policy.approvers, policy.people) = (.current, Approvers(live.current), configuration.shared.people)
    return try await PresentationCoordinator(
      log: log, clock: .system, policy: policy, grace: .seconds(configuration.graceSeconds),
      callbackSender: CallbackClient(
        timeout: .seconds(configuration.callbackTimeoutSeconds), callsAnybody: configuration.callsAnyUser),
      callbacks: configuration.callbacks, backoff: configuration.backoff.dismissals == 0 ? nil : configuration.backoff,
      app: "routerd", logger: logger, attachmentsPerMinute: configuration.attachmentsPerMinute,
      boot: Proc.bootID, shared: shared,
      executor: executor)
  }

  /// Shuts down all coordinators. Those waiting for a database give up after a second.
  private static func shutDown(
    _ coordinators: Coordinators, _ shared: SharedSurfaces?, _ worker: any TaskExecutor
  ) async {
    let patience = Task(executorPreference: worker) {
      try await PresentationClock.system.sleep(for: .seconds(1))
      shared?.giveUp()
      for keeper in coordinators.shared.map(\.keeper) { keeper.coordinator.send { $0.giveUp() } }
    }
    await coordinators.shutDown()
    patience.cancel()
  }

  /// Creates a directory and its missing parents, with the mode 0700.
  static func makeDirectory(_ path: String) throws {
    do {
      try Directories.make(path)
    } catch {
      throw RouterError(.database, "cannot create the directory \(path): \(error)")
    }
  }
}
