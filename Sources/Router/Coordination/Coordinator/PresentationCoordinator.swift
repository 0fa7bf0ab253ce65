import DequeModule
public import Logging
import OrderedCollections
import Synchronization

/// Puts one presentation at a time before a person, for everyone who asks, and keeps the record.
///
/// An actor around the pure rules of ``PresentationSurfaces``, on a thread of its own. *Decide, commit, act*: an input is
/// decided as it comes, on the state after the last decision; the log commits the events of whatever has gathered; then they
/// are applied to the committed presentations, from which queries are answered, and everybody concerned is told. When a
/// commit fails, the rules go back to the committed presentations and the callers get the error.
public actor PresentationCoordinator {
  /// The name of this process' own requests that give none.
  public nonisolated let app: String
  nonisolated let process: ProcessIdentity
  nonisolated let clock: PresentationClock
  nonisolated let log: AuditLog
  nonisolated let reader: AuditReader
  nonisolated let ids = PresentationIDGenerator()
  nonisolated let numbers = Atomic(0)
  /// How long a requester may take to come back with its key after a restart.
  nonisolated let grace: Duration
  nonisolated let executor: any CoordinatorExecutor
  let logger: Logger

  /// What is decided.
  var surfaces: PresentationSurfaces
  /// What is open on record.
  var committed: [PresentationID: PresentationQueue.Entry] = [:]
  /// Decisions on their way to the record, the oldest first.
  var pending: Deque<Step> = []
  var phase = Phase.running
  var lastStep = 0
  /// Steps up to this one failed together, and were forgotten.
  var failedStep = 0

  var waiters = Waiters()
  var screens = Screens()
  var callbacks: Callbacks
  /// Who has to wait before asking again; `nil` if nobody ever has.
  var backoff: DismissalBackoff?
  /// How often each user's presenters may attach: an attachment is two events, and may show a prompt again.
  var attachments: RateLimit<Owner>
  /// How many presentations have ended on record since the start, by outcome.
  package internal(set) var endedCounts: [PresentationOutcome.Name: Int] = [:]

  /// Surfaces whose queue has changed since presenters and askers were told.
  var changed: Set<String> = []
  /// Surfaces whose askers have yet to be told their positions.
  private var moved: Set<String> = []
  private var lastProgress: Duration?
  private var timer: (time: Duration, task: Task<Void, Never>)?
  private var isTurnEnding = false

  enum Phase {
    case running
    /// The log cannot be written. Facts that come meanwhile are held, to be decided first.
    case unwritable(held: [Held], retryAt: Duration)
    /// What was held is on its way to the record.
    case recovering
    /// Those who wait for it, and whether the end is on its way to the record.
    case shuttingDown([CheckedContinuation<Void, Never>], isLast: Bool)
    case stopped
  }

  /// Starts on a log. What was open is open again, in the same order; what was attached to a connection without a key ends as
  /// interrupted.
  ///
  /// - Parameters:
  ///   - log: What is written before anything takes effect. Nobody else may write to it.
  ///   - grace: How long an attached requester may take to come back with its key after a restart.
  ///   - callbackSender: Calls programs back; without it requests with an `onDismiss` are refused.
  ///   - backoff: When a program is turned away because people keep refusing its requests (default: never).
  ///   - app: The name for this process' own requests (default: the executable's).
  ///   - logger: Told of failures, by a presentation's id and never by its texts.
  /// - Throws: ``RouterError`` if the log cannot be read or written.
  public init(
    log: AuditLog, clock: PresentationClock = .system, limits: PresentationSurfaces.Limits = .init(),
    grace: Duration = .seconds(10), callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator")
  ) async throws {
    try await self.init(
      log: log, clock: clock, limits: limits, grace: grace, callbackSender: callbackSender, callbacks: callbacks,
      backoff: backoff, app: app, logger: logger, executor: ThreadExecutor())
  }

  package init(
    log: AuditLog, clock: PresentationClock = .system, limits: PresentationSurfaces.Limits = .init(),
    grace: Duration = .seconds(10), callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator"),
    attachmentsPerMinute: Int = 240, executor: any CoordinatorExecutor
  ) async throws {
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
    try await restore()
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  deinit {
    timer?.task.cancel()
  }

  /// Runs a body on the coordinator's thread, after all that was sent before. It never waits.
  nonisolated func send(_ body: @escaping @Sendable (isolated PresentationCoordinator) -> Void) {
    executor.perform {
      self.assumeIsolated { coordinator in
        body(coordinator)
        coordinator.endTurnSoon()
      }
    }
  }

  /// Runs a body that is already on the coordinator's executor, such as the event loop of a daemon, at once.
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

  /// Does once for a batch of inputs what need not be done for each. Shows the next prompt, on record or not the one before.
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
    setTimer()
  }

  /// Tells askers who follow their position where it has changed, at most once a second.
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
    let time = times.compactMap { $0 }.min()
    if let timer, timer.time == time { return }
    timer?.task.cancel()
    timer = time.map { time in
      // Ends when the time has come, when another is set, or with the coordinator.
      let task = Task(executorPreference: executor) { [clock, weak self] in
        guard (try? await clock.sleep(time)) != nil else { return }
        self?.send { $0.tick() }
      }
      return (time, task)
    }
  }

}
