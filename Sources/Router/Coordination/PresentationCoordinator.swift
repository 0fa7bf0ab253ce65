import DequeModule
public import Logging
import OrderedCollections
import Synchronization

/// Puts one presentation at a time before a person, for everyone who asks, and keeps the record.
///
/// An actor around the pure rules of ``PresentationSurfaces``. What happens enters one first-in, first-out mailbox, which is read
/// by whoever brings something while nobody else does; each decision is appended to the log, and carried out when it is
/// durable, in the order in which it was made: *commit, then act*. When the log cannot be written, everything goes back to
/// what is on record and the callers get the error.
public actor PresentationCoordinator {
  /// The name by which this process' own requests go where they give none.
  public nonisolated let app: String
  /// This process.
  nonisolated let process: ProcessIdentity
  nonisolated let clock: PresentationClock
  nonisolated let log: AuditLog
  nonisolated let reader: AuditReader
  nonisolated let ids = PresentationIDGenerator()
  /// Tells attachments and watchers apart.
  nonisolated let numbers = Atomic(0)
  private nonisolated let executor = TurnExecutor()
  nonisolated let mailbox: Mailbox<CoordinatorMessage>
  let logger: Logger
  let callbacks = CallbackRunner()
  /// Dismiss callbacks that have yet to run or to be recorded.
  var callbackCount = 0
  /// How programs are called back; without it no request may want to be.
  nonisolated let callbackSender: (any CallbackSender)?
  var callbackSchedule: CallbackSchedule
  /// What has ended and has not been called back yet.
  var toCallBack: [PresentationID: AuditRow] = [:]
  /// Each ends with its try; cancelled when the coordinator stops.
  var callbackTries: [PresentationID: Task<Void, Never>] = [:]
  /// Who has to wait before asking again; `nil` if nobody ever has.
  var backoff: DismissalBackoff?

  var surfaces: PresentationSurfaces
  var open: [PresentationID: OpenPresentation] = [:]
  /// What is open by its requester's key.
  var keys: [IdempotencyKey.Scope: PresentationID] = [:]
  /// Keys of what has just ended, the oldest first.
  var recentKeys: OrderedDictionary<IdempotencyKey.Scope, RecentKey> = [:]
  /// Which presentation an asker joined, by the id that its own would have had.
  var joined: [PresentationID: PresentationID] = [:]
  /// How long a requester may take to come back with its key after a restart.
  nonisolated let grace: Duration
  /// How many of the askers follow their position.
  var followers = 0
  var seats: [PresenterID: PresenterSeat] = [:]
  /// Presenters whose attachment is not on record yet.
  var arriving: [PresenterID: PresenterSeat] = [:]
  /// What is before the person on each surface, as carried out.
  var tops: [String: PresentationID] = [:]

  /// Decisions that are on their way to the record, the oldest first.
  var pending: Deque<PendingDecision> = []
  var lastNumber = 0
  /// Appends up to this number failed together, and were taken back.
  var failedNumber = 0
  var phase = Phase.running
  var timer: (time: Duration, task: Task<Void, Never>)?
  /// Surfaces whose positions have changed since the askers were told.
  var moved: Set<String> = []
  var lastProgress: Duration?
  var toldWaiting: [String: Int] = [:]
  /// Surfaces on which something was decided since their presenters were told how many wait.
  var recounted: Set<String> = []

  /// Whether decisions can be made.
  enum Phase {
    case running
    /// The log cannot be written. What happened of itself meanwhile is held, to be recorded first.
    case unwritable(held: [PendingDecision], retryAt: Duration)
    /// The held decisions are on their way to the record.
    case recovering
    /// Those who wait for it, and whether the end is on its way to the record.
    case shuttingDown([CheckedContinuation<Void, Never>], isLast: Bool)
    case stopped
  }

  /// Starts on a log: what was open when it was last written is open again, in the same order; what was attached to a
  /// connection has lost it and ends as cancelled, interrupted.
  ///
  /// - Parameters:
  ///   - log: What is written before anything takes effect. Nobody else may write to it.
  ///   - clock: What says when something is due, and what time it is.
  ///   - grace: How long a requester that was attached may take to come back with its key after a restart.
  ///   - callbackSender: Calls back programs whose requests have an `onDismiss`; without it such a request is refused.
  ///   - callbacks: How often and how soon a callback is tried again.
  ///   - backoff: When requests of a program are turned away because people keep refusing them; never by default.
  ///   - app: The name for this process' own requests; by default the executable's.
  ///   - limits: How much may be open.
  ///   - logger: What is told of failures, by a presentation's id and never by its texts.
  /// - Throws: ``RouterError`` if the log cannot be read or written.
  public init(
    log: AuditLog, clock: PresentationClock = .system, limits: PresentationSurfaces.Limits = .init(),
    grace: Duration = .seconds(10), callbackSender: (any CallbackSender)? = nil, callbacks: CallbackSchedule.Rule = .init(),
    backoff: DismissalBackoff.Rule? = nil, app: String? = nil, logger: Logger = Logger(label: "router.coordinator")
  ) async throws {
    mailbox = Mailbox<CoordinatorMessage>(executor: executor)
    self.log = log
    self.clock = clock
    self.logger = logger
    self.grace = grace
    self.callbackSender = callbackSender
    callbackSchedule = CallbackSchedule(rule: callbacks)
    self.backoff = backoff.map { DismissalBackoff(rule: $0) }
    reader = try AuditReader(log)
    process = .current
    self.app = app ?? process.name
    surfaces = PresentationSurfaces(limits: limits)
    try await restore()
    // The mailbox does not keep its reader's coordinator.
    mailbox.open { [weak self] messages in self?.assumeIsolated { $0.take(messages) } }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  deinit {
    mailbox.finish()
    timer?.task.cancel()
  }

  /// Takes what has come, in order.
  private func take(_ messages: [CoordinatorMessage]) {
    for message in messages { handle(message) }
    startCallbacks()
    tellWaitingCounts()
    tellPositions()
    setTimer()
  }

  private func handle(_ message: CoordinatorMessage) {
    switch message {
    case .ask(let ask): accept(ask)
    case .act(let action, let handle): carryOut(action, for: handle)
    case .takeBack(let id, let reason): takeBack(id, reason)
    case .detach(let id, let handle): detach(id, handle)
    case .refuseEnded(let id, let handle): refuseEnded(handle, id)
    case .watch(let id, let number, let handle): watch(id, number, handle)
    case .unwatch(let id, let number): unwatch(id, number)
    case .attachPresenter(let seat): arrive(seat)
    case .detachPresenter(let id):
      if let seat = seats[id] ?? arriving[id] { decideOfItself(.detach(id, surface: seat.surface)) }
    case .note(let entry): note(entry)
    case .calledBack(let entry):
      callbackCount -= 1
      note(entry, isKept: true)
      finishShutDownIfDone()
    case .triedToCallBack(let id, let result): triedToCallBack(id, result)
    case .committed(let number, let result): committed(number, result)
    case .tick: tick()
    case .turn(let body): log.turn(body)
    case .shutDown(let continuation): beginShutDown(continuation)
    }
  }

  // MARK: Time

  private func tick() {
    timer = nil
    if case .unwritable(let held, let retryAt) = phase, retryAt <= clock.now() { recover(held) }
    expire()
  }

  /// Sets one timer for the next thing that time will bring; none if there is none.
  private func setTimer() {
    var times = [surfaces.nextDeadline].compactMap { $0 }
    if case .unwritable(_, let retryAt) = phase { times.append(retryAt) }
    if case .running = phase, let time = callbackSchedule.nextTime { times.append(time) }
    if !moved.isEmpty, let lastProgress { times.append(lastProgress + .seconds(1)) }
    if case .stopped = phase { times = [] }
    guard let time = times.min() else {
      timer?.task.cancel()
      timer = nil
      return
    }
    if let timer, timer.time == time { return }
    timer?.task.cancel()
    // Ends when the time has come, when another is set, or with the coordinator.
    let task = Task { [clock, mailbox] in
      guard (try? await clock.sleep(time)) != nil else { return }
      mailbox.send(.tick)
    }
    timer = (time, task)
  }
}
