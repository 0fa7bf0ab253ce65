import Logging

/// Pending dismiss callbacks: to programs, scheduled by ``CallbackSchedule``, and within this process.
struct Callbacks {
  /// The result of a delivery attempt to a program.
  enum Result: Sendable {
    case accepted
    case failed(String)
    /// The coordinator stopped during the attempt, which may have been delivered. It is retried after the next start.
    case interrupted
  }

  /// Delivers callbacks to programs; `nil` refuses requests with a callback address.
  let sender: (any CallbackSender)?
  /// Runs the callbacks of this process one at a time.
  let runner = SerialRunner()
  /// The number of callbacks within this process that have not run or are not recorded yet.
  var runningCount = 0
  private var schedule: CallbackSchedule
  private var waiting: [PresentationID: Presentation] = [:]
  /// The running attempts. Each task ends with its attempt, and is canceled when the coordinator stops.
  private var tries: [PresentationID: Task<Void, Never>] = [:]

  init(sender: (any CallbackSender)?, rule: CallbackSchedule.Rule) {
    self.sender = sender
    schedule = CallbackSchedule(rule: rule)
  }

  var nextTime: Duration? { schedule.nextTime }
  var isIdle: Bool { waiting.isEmpty && runningCount == 0 }

  /// Schedules the callback of an ended presentation, if its request has one.
  mutating func add(_ presentation: Presentation) {
    guard let address = presentation.request.onDismiss, sender != nil, waiting[presentation.id] == nil else { return }
    waiting[presentation.id] = presentation
    schedule.add(
      presentation.id, uid: presentation.requester.process.uid, socketPath: address.socketPath,
      attempts: presentation.callback?.attempts ?? 0)
  }

  /// Drops a callback with a recorded final result: before a restart, this host may have recorded more than its copy contains.
  mutating func follow(_ event: Event) {
    guard event.isLastOfCallback, let id = event.presentation, waiting.removeValue(forKey: id) != nil else { return }
    // The result of a running attempt is also dropped.
    if tries[id] == nil { schedule.remove(id) }
  }

  /// Starts the due attempts on an executor. Calls `done` once for each, on any thread.
  mutating func start(
    at now: Duration, on executor: any TaskExecutor, _ done: @escaping @Sendable (PresentationID, Result) -> Void
  ) {
    guard let sender else { return }
    for id in schedule.due(at: now) {
      guard let presentation = waiting[id], let address = presentation.request.onDismiss else {
        schedule.remove(id)
        continue
      }
      tries[id] = Task(executorPreference: executor) {
        do {
          try await sender.send(presentation, to: address)
          done(id, .accepted)
        } catch {
          done(id, Task.isCancelled ? .interrupted : .failed(String(describing: error)))
        }
      }
    }
  }

  /// Ends an attempt. Returns the event to record; `nil` if the attempt is repeated after the next start.
  mutating func tried(_ id: PresentationID, _ result: Result, at moment: Moment) -> Event? {
    tries[id] = nil
    guard waiting[id] != nil else {
      schedule.remove(id)
      return nil
    }
    let detail: Event.Detail
    switch result {
    case .interrupted: return nil
    case .accepted: detail = .callbackDelivered(Event.CallbackDelivered(attempts: schedule.succeeded(id)))
    case .failed(let error):
      let (fate, attempts) = schedule.failed(id, at: moment.boot)
      var nextIn: Duration?
      if case .tryAgain(let time) = fate { nextIn = time - moment.boot }
      let text = String(error.unicodeScalars.prefix(500))
      detail = .callbackFailed(Event.CallbackFailed(error: text, attempts: attempts, nextIn: nextIn))
    }
    let event = Event(at: moment.wall, presentation: id, detail)
    if event.isLastOfCallback { waiting[id] = nil }
    return event
  }

  mutating func stop() {
    for task in tries.values { task.cancel() }
    tries = [:]
  }
}

extension PresentationCoordinator {
  /// Starts the due callbacks, unless their results cannot be recorded now.
  func startCallbacks() {
    guard unavailable == nil else { return }
    callbacks.start(at: clock.now(), on: executor) { [weak self] id, result in self?.send { $0.triedToCallBack(id, result) } }
  }

  private func triedToCallBack(_ id: PresentationID, _ result: Callbacks.Result) {
    guard let event = callbacks.tried(id, result, at: now) else { return }
    if case .callbackFailed(let failure) = event.detail {
      logger.info(
        "a dismiss callback was not accepted", metadata: ["presentation": "\(id)", "attempts": "\(failure.attempts)"])
    }
    record(event, isKept: true)
  }

  /// Runs a callback of this process, after the requesters have received the outcome.
  func run(_ onDismiss: @escaping DismissCallback, of presentation: Presentation, after askers: [Waiters.Asker]) {
    callbacks.runningCount += 1
    // A strong reference: the coordinator must live until the callback is recorded.
    callbacks.runner.run {
      for asker in askers { await (asker.target as? PresentationHandle)?.received() }
      await onDismiss()
      self.send { $0.calledBack(presentation) }
    }
  }

  private func calledBack(_ presentation: Presentation) {
    var presentation = presentation
    let event = Event(at: clock.wall(), presentation: presentation.id, .callbackDelivered(Event.CallbackDelivered(attempts: 1)))
    callbacks.runningCount -= 1
    // If the request also has a callback address, that delivery is recorded instead.
    if presentation.request.onDismiss == nil, (try? presentation.apply(event)) != nil {
      record(event, isKept: true)
    }
    finishShutDownIfDone()
  }
}
