import Logging

extension PresentationCoordinator {
  /// The work per batch of inputs, and the time of the next timer.
  struct Turn {
    var isEnding = false
    /// Surfaces with queue positions that requesters have not been notified of yet.
    var moved: Set<String> = []
    var lastPositions: Duration?
    var unattendedSince: Duration?
    var timer: (time: Duration, task: Task<Void, Never>)?
  }

  /// Schedules the end of the turn. Shows the next prompt even if the previous one's end is not recorded yet.
  func endTurnSoon() {
    guard !turn.isEnding else { return }
    turn.isEnding = true
    executor.perform { [weak self] in self?.assumeIsolated { $0.endTurn() } }
  }

  private func endTurn() {
    turn.isEnding = false
    startCallbacks()
    for surface in changed {
      show(on: surface)
      screens.tell(waiting: waitingCount(on: surface), on: surface)
    }
    turn.moved.formUnion(changed)
    changed.removeAll(keepingCapacity: true)
    tellPositions()
    watchUnattended()
    setTimer()
  }

  /// Notifies requesters that follow their queue position of changes, at most once a second.
  private func tellPositions() {
    guard waiters.followerCount > 0 else { return turn.moved.removeAll() }
    let time = clock.now()
    guard !turn.moved.isEmpty, turn.lastPositions.map({ time - $0 >= .seconds(1) }) ?? true else { return }
    turn.lastPositions = time
    for (id, position) in turn.moved.flatMap({ committed.surfaces[$0]?.positions ?? [:] })
    where committed[id]?.presentation.state == .queued {
      waiters.tell(id, position: position)
    }
    turn.moved.removeAll()
  }

  /// Logs a wait of a second without a presenter, since the program would seem to hang.
  private func watchUnattended() {
    guard logsUnattended else { return }
    let surface = committed.surfaces.filter { $1.waitingCount > 0 && !screens.hasPresenter(on: $0) }.keys.min()
    guard let surface else { return turn.unattendedSince = nil }
    let since = turn.unattendedSince ?? clock.now()
    turn.unattendedSince = since
    guard clock.now() - since >= .seconds(1) else { return }
    (logsUnattended, turn.unattendedSince) = (false, nil)
    logger.warning(
      "a prompt is waiting without a presenter: pass presenter: .terminal, or call run(_:on:)",
      metadata: ["surface": "\(surface)"])
  }

  // MARK: Time

  private func tick() {
    turn.timer = nil
    if case .stopped = phase { return }
    screens.tick(at: clock.now())
    tickDecider()
  }

  private func setTimer() {
    var times = [Duration?]()
    let status = decider.status
    switch phase {
    case .running: times = [status.nextTime, screens.nextTime, decider.unavailable == nil ? callbacks.nextTime : nil]
    case .shuttingDown: times = [status.nextTime]
    case .stopped: break
    }
    if !turn.moved.isEmpty, let last = turn.lastPositions { times.append(last + .seconds(1)) }
    if let since = turn.unattendedSince { times.append(since + .seconds(1)) }
    // A timer that is too early fires without effect, which is cheaper than a task per deadline.
    guard let time = times.compactMap({ $0 }).min(), turn.timer.map({ time < $0.time }) ?? true else { return }
    turn.timer?.task.cancel()
    // Ends when it fires, when the timer is replaced, or when the coordinator is released.
    let task = Task(executorPreference: executor) { [clock, weak self] in
      guard (try? await clock.sleep(time)) != nil else { return }
      self?.send { $0.tick() }
    }
    turn.timer = (time, task)
  }
}
