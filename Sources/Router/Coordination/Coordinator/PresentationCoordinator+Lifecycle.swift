extension PresentationCoordinator {
  // MARK: Starting

  /// Restores the recorded state. Records the start and the resulting changes in one transaction.
  func restore() async throws {
    let open = try await reader.open()
    let (lastNumber, lastTime) = (try await reader.lastNumber(), try await reader.lastTime())
    surfaces.add(try await reader.usedKeys())
    let moment = now
    let today = max(moment.wall, lastTime ?? moment.wall)
    let events = surfaces.restart(open, lastNumber: lastNumber, at: moment, today: today, grace: grace)
    let started = Event(at: moment.wall, .daemonStarted(Resolver(process: process)))
    try await log.append([started] + events)
    for presentation in open {
      committed[presentation.id] = surfaces.entry(presentation.id)
    }
    for presentation in try await reader.pendingCallbacks() { callbacks.add(presentation) }
    // Expires what became due in the meantime, and sets the timer.
    send { $0.expire() }
  }

  /// Loads what is on record, without deciding anything: the leader does.
  func load() async throws {
    surfaces.add(try await reader.usedKeys())
    begin(with: try await reader.open(), lastNumber: try await reader.lastNumber())
    for presentation in try await reader.pendingCallbacks() {
      shared?.noteEnd(of: presentation)
      if isOwn(presentation) { callbacks.add(presentation) }
    }
  }

  /// Follows from these open presentations on.
  package func begin(with open: [Presentation], lastNumber: Int) {
    let moment = now
    let entries = open.map { PresentationQueue.Entry($0, now: moment.boot, today: moment.wall) }
    surfaces.load(entries, lastNumber: lastNumber)
    for entry in entries { committed[entry.id] = entry }
  }

  // MARK: Stopping

  /// Stops accepting requests, ends attached presentations as interrupted, and detaches presenters. The next
  /// coordinator on this log restores presentations that are detached or have a key, in the same order. Returns once
  /// every dismiss callback has returned.
  public nonisolated func shutDown() async {
    await withCheckedContinuation { continuation in
      send { $0.beginShutDown(continuation) }
    }
  }

  private func beginShutDown(_ continuation: CheckedContinuation<Void, Never>) {
    var held: [Held] = []
    switch phase {
    case .stopped: return continuation.resume()
    case .shuttingDown(let others, let isLast):
      phase = .shuttingDown(others + [continuation], isLast: isLast)
      return
    case .unwritable(let items, _):
      log.retry()
      held = items
    case .running, .recovering: break
    }
    phase = .shuttingDown([continuation], isLast: false)
    replay(held)
    let moment = now
    if let shared {
      guard shared.role == .leading else { return leave() }
      submit(surfaces.hostGone(shared.host, at: moment), at: moment.boot)
      log.flush()
      return finishShutDownIfDone()
    }
    submit(surfaces.shutDown(at: moment), at: moment.boot)
    for seat in screens.allSeats { decide(.presenterDetached(seat.id, surface: seat.surface), at: moment) }
    log.flush()
    finishShutDownIfDone()
  }

  /// Records the stop once everything else is recorded and all callbacks have run. Stops once that is recorded too.
  func finishShutDownIfDone() {
    guard case .shuttingDown(let continuations, let isLast) = phase, pending.isEmpty, callbacks.runningCount == 0 else {
      return
    }
    guard !isLast else { return stop(continuations) }
    phase = .shuttingDown(continuations, isLast: true)
    record(Event(at: clock.wall(), .daemonStopped(Resolver(process: process))))
  }

  func stop(_ continuations: [CheckedContinuation<Void, Never>]) {
    phase = .stopped
    callbacks.stop()
    let error = RouterError(.shuttingDown, "the daemon or program that shows prompts is shutting down")
    for group in waiters.takeAll() { group.fail(error) }
    committed = [:]
    for seat in screens.allSeats { seat.end(nil) }
    for continuation in continuations { continuation.resume() }
  }
}
