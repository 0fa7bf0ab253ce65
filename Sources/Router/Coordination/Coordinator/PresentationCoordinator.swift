import DequeModule
package import Logging
import OrderedCollections
import Synchronization

/// Shows one presentation at a time per surface, for all requesters, and records everything in the audit log.
///
/// An actor around the pure rules of ``PresentationSurfaces``, with its own executor. It works in three steps: *decide,
/// commit, act*. Each input is decided as it arrives, on the state after the last decision. The log commits the
/// resulting events in batches. Then they are applied to the committed presentations, which serve queries, and everyone
/// concerned is notified. If a commit fails, the rules go back to the committed presentations and the callers get the
/// error.
public actor PresentationCoordinator {
  /// The app name for requests of this process that set none.
  public nonisolated let app: String
  nonisolated let process: ProcessIdentity
  nonisolated let clock: PresentationClock
  nonisolated let log: AuditLog
  nonisolated let reader: AuditReader
  nonisolated let ids = PresentationIDGenerator()
  nonisolated let numbers = Atomic(0)
  /// How long a requester may take to reconnect with its key after a restart.
  nonisolated let grace: Duration
  nonisolated let executor: any CoordinatorExecutor
  /// This host's name on a shared surface; otherwise `nil`.
  nonisolated let host: String?
  let logger: Logger

  /// The state after the last decision.
  var surfaces: PresentationSurfaces
  /// The open presentations as recorded.
  var committed: [PresentationID: PresentationQueue.Entry] = [:]
  /// Decisions that are not recorded yet, oldest first.
  var pending: Deque<Step> = []
  var phase = Phase.running
  var lastStep = 0
  /// The last step of the last failed commit. Results of steps up to it are ignored.
  var failedStep = 0

  var waiters = Waiters()
  var screens = Screens()
  var callbacks: Callbacks
  /// The coordinator's part in a shared surface; `nil` if its surfaces are this machine's.
  var shared: SharedState?
  /// The backoff state of requesters; `nil` if the rule is disabled.
  var backoff: DismissalBackoff?
  /// Limits how often each user's presenters may attach, since each attachment records two events and may show a prompt
  /// again.
  var attachments: RateLimit<Owner>
  /// The number of presentations ended since the start, by outcome.
  package internal(set) var endedCounts: [PresentationOutcome.Name: Int] = [:]

  /// Surfaces whose queue has changed since presenters and askers were last notified.
  var changed: Set<String> = []
  /// Surfaces with queue positions that askers have not been told yet.
  private var moved: Set<String> = []
  private var lastProgress: Duration?
  private var timer: (time: Duration, task: Task<Void, Never>)?
  private var isTurnEnding = false
  /// Whether to log once that prompts are waiting without a presenter, and when that began.
  private var logsUnattended: Bool
  private var unattendedSince: Duration?

  enum Phase {
    case running
    /// The log is unwritable. Inputs that cannot be refused are held.
    case unwritable(held: [Held], retryAt: Duration)
    /// The held inputs are being recorded.
    case recovering
    /// The waiting callers, and whether the stop event is being recorded.
    case shuttingDown([CheckedContinuation<Void, Never>], isLast: Bool)
    case stopped
  }

  /// Starts on a log. Open presentations are restored in the same order. Those attached to a connection without a key
  /// end as interrupted.
  ///
  /// - Parameters:
  ///   - log: What is written before anything takes effect. Nobody else may write to it.
  ///   - limits: How much may be open.
  ///   - grace: How long an attached requester may take to come back with its key after a restart.
  ///   - app: The name for this process' own requests (default: the executable's).
  ///   - presenter: Shows the prompts of the surface `main` until ``shutDown()``, for example ``Presenter/terminal``.
  /// - Throws: ``RouterError`` if the log cannot be read or written.
  public init(
    log: AuditLog, limits: Limits = .init(), grace: Duration = .seconds(10), app: String? = nil,
    presenter: (any Presenter)? = nil
  ) async throws {
    try PresentationClock.startTimer()
    try await self.init(log: log, clock: .system, limits: limits, grace: grace, app: app, logsUnattended: true)
    // Ends with the coordinator's shutdown.
    if let presenter { Task { try? await run(presenter) } }
  }

  /// - Parameters:
  ///   - callbackSender: Calls programs back; without it requests with an `onDismiss` are refused.
  ///   - backoff: When a program is turned away because people keep refusing its requests (default: never).
  ///   - logger: Told of failures, by a presentation's id and never by its texts.
  package init(
    log: AuditLog, clock: PresentationClock, limits: Limits = .init(), grace: Duration = .seconds(10),
    callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator"),
    logsUnattended: Bool = false
  ) async throws {
    try await self.init(
      log: log, clock: clock, limits: limits, grace: grace, callbackSender: callbackSender, callbacks: callbacks,
      backoff: backoff, app: app, logger: logger, logsUnattended: logsUnattended, executor: try ThreadExecutor())
  }

  package init(
    log: AuditLog, clock: PresentationClock = .system, limits: PresentationSurfaces.Limits = .init(),
    grace: Duration = .seconds(10), callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator"),
    logsUnattended: Bool = false, attachmentsPerMinute: Int = 240, shared: SharedState? = nil,
    executor: any CoordinatorExecutor
  ) async throws {
    self.shared = shared
    host = shared?.host
    self.logsUnattended = logsUnattended
    attachments = RateLimit(perMinute: attachmentsPerMinute)
    self.executor = executor
    self.log = log
    self.clock = clock
    self.logger = logger
    self.grace = grace
    self.callbacks = Callbacks(sender: callbackSender, rule: callbacks)
    self.backoff = backoff.map { DismissalBackoff(rule: $0) }
    reader = try AuditReader(log)
    process = .current
    self.app = app ?? process.name
    surfaces = PresentationSurfaces(limits: limits, callsBack: callbackSender != nil)
    if shared == nil { try await restore() } else { try await load() }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  deinit {
    timer?.task.cancel()
  }

  /// Enqueues `body` on the coordinator's executor without waiting.
  package nonisolated func send(_ body: @escaping @Sendable (isolated PresentationCoordinator) -> Void) {
    executor.perform {
      self.assumeIsolated { coordinator in
        body(coordinator)
        coordinator.endTurnSoon()
      }
    }
  }

  /// Runs `body` at once. Must be called on the coordinator's executor, such as the daemon's event loop.
  package nonisolated func enter<Value: Sendable>(
    _ body: @Sendable (isolated PresentationCoordinator) throws -> Value
  ) rethrows -> Value {
    try assumeIsolated { coordinator in
      defer { coordinator.endTurnSoon() }
      return try body(coordinator)
    }
  }

  var now: Moment { Moment(boot: clock.now(), wall: clock.wall()) }

  // MARK: Turns

  /// Schedules the work that is done once per batch of inputs. Shows the next prompt even if the previous one's end is
  /// not recorded yet.
  private func endTurnSoon() {
    guard !isTurnEnding else { return }
    isTurnEnding = true
    executor.perform { [weak self] in self?.assumeIsolated { $0.endTurn() } }
  }

  private func endTurn() {
    isTurnEnding = false
    startCallbacks()
    for surface in changed {
      show(on: surface)
      screens.tell(waiting: surfaces.queue(surface)?.waitingCount ?? 0, on: surface)
    }
    moved.formUnion(changed)
    changed.removeAll(keepingCapacity: true)
    tellPositions()
    watchUnattended()
    setTimer()
  }

  /// Tells askers that follow their queue position about changes, at most once a second.
  private func tellPositions() {
    guard waiters.followerCount > 0 else { return moved.removeAll() }
    let time = clock.now()
    guard !moved.isEmpty, lastProgress.map({ time - $0 >= .seconds(1) }) ?? true else { return }
    lastProgress = time
    for (id, position) in moved.flatMap({ surfaces.queue($0)?.positions ?? [:] })
    where committed[id]?.presentation.state == .queued {
      waiters.tell(id, position: position)
    }
    moved.removeAll()
  }

  /// Logs a wait of a second without a presenter; otherwise the program seems to hang.
  private func watchUnattended() {
    guard logsUnattended else { return }
    let surface = surfaces.names.first { name in
      surfaces.queue(name).map { $0.presenters.isEmpty && $0.waitingCount > 0 } ?? false
    }
    guard let surface else { return unattendedSince = nil }
    let since = unattendedSince ?? clock.now()
    unattendedSince = since
    guard clock.now() - since >= .seconds(1) else { return }
    (logsUnattended, unattendedSince) = (false, nil)
    logger.warning(
      "a prompt is waiting without a presenter: pass presenter: .terminal, or call run(_:on:)",
      metadata: ["surface": "\(surface)"])
  }

  // MARK: Time

  private func tick() {
    timer = nil
    if case .unwritable(let held, let retryAt) = phase, retryAt <= clock.now() { recover(held) }
    expire()
  }

  private func setTimer() {
    var times = [Duration?]()
    switch phase {
    case .unwritable(_, let retryAt): times = [retryAt]
    case .running: times = [surfaces.nextDeadline, callbacks.nextTime]
    case .recovering, .shuttingDown: times = [surfaces.nextDeadline]
    case .stopped: break
    }
    if !moved.isEmpty, let lastProgress { times.append(lastProgress + .seconds(1)) }
    if let unattendedSince { times.append(unattendedSince + .seconds(1)) }
    let time = times.compactMap { $0 }.min()
    if let timer, timer.time == time { return }
    timer?.task.cancel()
    timer = time.map { time in
      // Ends when it fires, or when the timer is replaced or the coordinator is gone.
      let task = Task(executorPreference: executor) { [clock, weak self] in
        guard (try? await clock.sleep(time)) != nil else { return }
        self?.send { $0.tick() }
      }
      return (time, task)
    }
  }

}
