extension PresentationCoordinator {
  // MARK: Starting

  /// Restores the recorded state. Records the start and the resulting changes in one transaction.
  func restore(_ policy: PresentationSurfaces.Policy, _ backoff: DismissalBackoff.Rule?) async throws {
    committed = try await reader.fold(at: now)
    let moment = now
    var events = [Event(at: moment.wall, .daemonStarted(Event.Daemon(Presentation.Responder(process: process))))]
    let surfaces = PresentationSurfaces(policy, restarting: committed, at: moment, grace: grace, events: &events)
    try await log.append(events)
    followed = log.head.seq
    committed.restart(holding: surfaces.held, with: events, at: moment)
    decider = LocalDecider(surfaces, backoff: backoff)
    for presentation in try await reader.pendingCallbacks() { callbacks.add(presentation) }
    // Expires presentations that became due while stopped, and sets the timer.
    send { $0.tickDecider() }
  }

  /// Loads the record without decisions, which the leader makes.
  func load() async throws {
    committed = try await reader.fold(at: now)
    followed = log.head.seq
    for presentation in try await reader.pendingCallbacks() where isOwn(presentation) { callbacks.add(presentation) }
  }

  /// Follows the record from a pruning on.
  package func begin(with start: Event.Pruned) {
    committed = PresentationFold(start, at: now)
    followed = start.anchor.seq
    for presentation in start.carried where isOwn(presentation) && presentation.callback?.state == .pending {
      if presentation.state == .resolved { callbacks.add(presentation) }
    }
  }

  // MARK: Stopping

  /// Stops accepting requests, ends attached presentations as interrupted, and detaches presenters. The next coordinator on
  /// this log restores detached presentations, and those with a key, in the same order. Returns once every dismiss callback has
  /// returned, even if the task is canceled. Later calls throw ``RouterError`` with the code `shuttingDown`.
  public nonisolated func shutDown() async {
    await withCheckedContinuation { continuation in
      send { $0.beginShutDown(continuation) }
    }
  }

  private func beginShutDown(_ continuation: CheckedContinuation<Void, Never>) {
    switch phase {
    case .stopped: return continuation.resume()
    case .shuttingDown(let others, let isLast): phase = .shuttingDown(others + [continuation], isLast: isLast)
    case .running:
      phase = .shuttingDown([continuation], isLast: false)
      shutDownDecider()
      finishShutDownIfDone()
    }
  }

  /// Records the stop after all events are recorded and all callbacks have run. Stops once that is recorded too.
  func finishShutDownIfDone() {
    guard case .shuttingDown(let continuations, let isLast) = phase, decider.status.isIdle, callbacks.runningCount == 0 else {
      return
    }
    guard !isLast else { return stop() }
    phase = .shuttingDown(continuations, isLast: true)
    record(Event(at: clock.wall(), .daemonStopped(Event.Daemon(Presentation.Responder(process: process)))))
    finishShutDownIfDone()
  }

  func stop() {
    guard case .shuttingDown(let continuations, _) = phase else { return }
    phase = .stopped
    callbacks.stop()
    let error = RouterError(.shuttingDown, "the daemon or program that shows prompts is shutting down")
    for group in waiters.takeAll() { group.fail(error) }
    failReplies(error)
    committed = PresentationFold()
    for seat in screens.allSeats { seat.end(nil) }
    for continuation in continuations { continuation.resume() }
  }

  var isStopped: Bool { if case .stopped = phase { true } else { false } }
}
