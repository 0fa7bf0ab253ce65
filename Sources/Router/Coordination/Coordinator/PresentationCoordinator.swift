package import Logging
import Synchronization

/// Shows one presentation at a time per surface, for all requesters, and records everything in the audit log.
///
/// An actor around the pure rules of `PresentationSurfaces`, with its own executor. It works in three steps: *decide, commit,
/// act*. A decider decides each input as it arrives, based on the state after the last decision. The log commits the resulting
/// events in batches. Then the coordinator applies them to the committed presentations, which serve queries, and notifies
/// callers and presenters. If a commit fails, the decider returns to the committed presentations and the callers get the error.
public actor PresentationCoordinator {
  /// The app name for requests of this process without one.
  public nonisolated let app: String
  nonisolated let process: ProcessIdentity
  package nonisolated let clock: PresentationClock
  nonisolated let log: AuditLog
  nonisolated let reader: AuditReader
  nonisolated let ids: PresentationIDGenerator
  nonisolated let numbers = Atomic(0)
  /// The time for a requester to reconnect with its key after a restart.
  nonisolated let grace: Duration
  nonisolated let executor: any CoordinatorExecutor
  /// The surface shared with other hosts; `nil` for the surfaces of this machine.
  nonisolated let shared: SharedSurface?
  /// Identifies this boot of the machine; `nil` if no grant may be bound to a process.
  nonisolated let boot: String?
  let logger: Logger

  var decider: any PresentationDecider
  var effects = Effects()
  /// The open presentations as recorded.
  var committed = PresentationFold()
  /// The number of the last event that ``committed`` includes.
  var followed: Int64 = 0
  /// The error after which ``committed`` cannot follow the record; `nil` normally.
  var contradiction: RouterError?
  /// The presentations that ended with the last recorded input.
  var justEnded: [PresentationID: Presentation] = [:]
  var phase = Phase.running

  var waiters = Waiters()
  var screens = Screens()
  var callbacks: Callbacks
  /// Limits how often each user's presenters may attach, since each attachment records two events and may show a prompt
  /// again.
  var attachments: RateLimit<Owner>
  /// The number of presentations ended since the start, by outcome.
  package internal(set) var endedCounts: [PresentationOutcome.Name: Int] = [:]

  /// Surfaces with queue changes that presenters and requesters have not been notified of.
  var changed: Set<String> = []
  var turn = Turn()
  /// Whether to log once that prompts wait without a presenter, and the start of the wait.
  var logsUnattended: Bool

  enum Phase {
    case running
    /// The waiting callers, and whether the stop event is being recorded.
    case shuttingDown([CheckedContinuation<Void, Never>], isLast: Bool)
    case stopped
  }

  /// Starts on a log. Restores open presentations in the same order. Presentations attached to a connection without a key end
  /// as interrupted.
  ///
  /// - Parameters:
  ///   - log: The log, written before anything takes effect. It may have no other writer.
  ///   - limits: The limits on open presentations.
  ///   - grace: The time for an attached requester to reconnect with its key after a restart.
  ///   - app: The app name of this process's own requests (default: the executable's name).
  ///   - presenter: Shows the prompts of the surface `main` until ``shutDown()``, such as `.terminal`. Keeps the coordinator
  ///     alive until then.
  /// - Throws: ``RouterError`` if the log cannot be read or written.
  public init(
    log: AuditLog, limits: Presentation.Limits = .init(), grace: Duration = .seconds(10), app: String? = nil,
    presenter: (any Presenter)? = nil
  ) async throws {
    try PresentationClock.startTimer()
    try await self.init(
      log: log, clock: .system, policy: .init(limits: limits), grace: grace, app: app, logsUnattended: true)
    guard let presenter else { return }
    // Ends with the coordinator's shutdown.
    Task {
      do { try await run(presenter) } catch { logger.error("the presenter \(presenter.name) has ended: \(error)") }
    }
  }

  /// - Parameters:
  ///   - policy: The settings that decisions depend on. Its `callsBack` and `home` follow from the other parameters.
  ///   - callbackSender: Delivers callbacks to programs; `nil` refuses requests with an `onDismiss`.
  ///   - backoff: The rate limit for programs whose requests people keep refusing (default: none).
  ///   - boot: Identifies this boot of the machine (default: no grant is bound to a process).
  ///   - logger: Receives failures, with a presentation's id but never its texts.
  ///   - shared: The surface shared with other hosts; `nil` for the surfaces of this machine.
  ///   - executor: Runs the coordinator (default: a dedicated thread).
  package init(
    log: AuditLog, clock: PresentationClock, policy: PresentationSurfaces.Policy = .init(), grace: Duration = .seconds(10),
    callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator"),
    logsUnattended: Bool = false, attachmentsPerMinute: Int = 240, boot: String? = nil, shared: SharedSurface? = nil,
    executor: (any CoordinatorExecutor)? = nil, ids: PresentationIDGenerator = PresentationIDGenerator(),
    process: ProcessIdentity = .current
  ) async throws {
    (self.shared, self.ids) = (shared, ids)
    self.logsUnattended = logsUnattended
    attachments = RateLimit(perMinute: attachmentsPerMinute)
    self.executor = try executor ?? ThreadExecutor()
    self.log = log
    self.clock = clock
    self.logger = logger
    self.grace = grace
    self.callbacks = Callbacks(sender: callbackSender, rule: callbacks)
    self.boot = boot
    reader = try AuditReader(log)
    self.process = process
    self.app = app ?? process.name
    var policy = policy
    (policy.callsBack, policy.home) = (callbackSender != nil, shared?.host ?? "")
    if let shared {
      let terms = FollowingDecider.Terms(
        surface: shared, process: process, backoff: backoff, attachmentsPerMinute: attachmentsPerMinute)
      decider = FollowingDecider(terms, policy)
      try await load()
    } else {
      decider = LocalDecider(PresentationSurfaces(policy), backoff: backoff)
      try await restore(policy, backoff)
    }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  deinit {
    turn.timer?.task.cancel()
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

  /// Runs `body` immediately. Must be called on the coordinator's executor, such as the daemon's event loop.
  package nonisolated func enter<Value: Sendable>(
    _ body: @Sendable (isolated PresentationCoordinator) throws -> Value
  ) rethrows -> Value {
    try assumeIsolated { coordinator in
      defer { coordinator.endTurnSoon() }
      return try body(coordinator)
    }
  }

  /// The settings that decisions depend on.
  package var policy: PresentationSurfaces.Policy {
    get { decider.policy }
    set { decider.policy = newValue }
  }

  var now: Moment { Moment(boot: clock.now(), wall: clock.wall()) }

  /// This host's name on a shared surface; otherwise empty.
  nonisolated var host: String { shared?.host ?? "" }

  /// The error for new inputs; `nil` while they are accepted.
  var unavailable: RouterError? {
    isShuttingDown
      ? RouterError(.shuttingDown, "cannot take requests: shutting down") : contradiction ?? decider.unavailable
  }

  var isShuttingDown: Bool { if case .running = phase { false } else { true } }

  /// Whether a presentation was requested on this host.
  func isOwn(_ presentation: Presentation) -> Bool { presentation.requester.process.host == host }
}
