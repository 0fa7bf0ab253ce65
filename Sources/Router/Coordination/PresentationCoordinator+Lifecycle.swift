extension PresentationCoordinator {
  // MARK: Starting

  /// Takes in what is on record, and records the start and what it changes, in one transaction.
  func restore() async throws {
    let rows = try await reader.open()
    let lastTime = try await reader.lastTime()
    let (now, wall) = (clock.now(), clock.wall())
    // After a jump backwards of the wall clock no more time may be left than before.
    let today = max(wall, lastTime ?? wall)
    for row in rows {
      let presentation = OpenPresentation(row: row)
      presentation.recorded = row
      open[row.presentation.id] = presentation
      remember(row.key, of: row.presentation.requester, for: row.presentation.id)
    }
    surfaces.pause()
    for (surface, rows) in Dictionary(grouping: rows, by: \.presentation.request.surface) {
      surfaces.restore(
        rows.map { PresentationQueue.Entry(row: $0, today: today, now: now, graceEnd: now + grace) }, on: surface)
    }
    var decisions = surfaces.interrupt(at: now).map { prepare($0) }
    for id in attached {
      guard let decision = try? surfaces.handle(.cancel(id, reason: .interrupted, by: nil), at: now) else { continue }
      decisions.append(prepare(decision))
    }
    decisions += surfaces.resume(at: now).map { prepare($0) }
    let started = AuditEntry(at: wall, kind: .daemonStarted, detail: ["process": Resolver(process: process).json])
    try await log.append([started] + decisions.flatMap(\.entries))
    for decision in decisions { act(on: decision) }
    try await restoreCallbacks()
    // Nobody follows anything yet; the first message sets the timer, unless something is to be done without one.
    if surfaces.nextDeadline != nil || callbackSchedule.count > 0 { mailbox.send(.tick) }
  }

  /// What ends with a connection and is not kept for its requester to come back. A screen comes before what it is stacked on: each has lost its own.
  private var attached: [PresentationID] {
    surfaces.names.flatMap { surfaces.queue($0)?.topsFirst ?? [] }
      .filter { open[$0].map { $0.row.presentation.attached && !$0.row.isKept } ?? false }
  }

  // MARK: Stopping

  /// Stops taking requests, ends what is attached as cancelled, interrupted, and lets presenters go. What is detached, or
  /// has a key, is there again for the next coordinator on this log, in the same order.
  ///
  /// It returns when that is on record, or cannot be, and every dismiss callback has returned.
  public nonisolated func shutDown() async {
    await withCheckedContinuation { continuation in
      if !mailbox.send(.shutDown(continuation)) { continuation.resume() }
    }
  }

  func beginShutDown(_ continuation: CheckedContinuation<Void, Never>) {
    switch phase {
    case .stopped: return continuation.resume()
    case .shuttingDown(let others, let isLast):
      phase = .shuttingDown(others + [continuation], isLast: isLast)
      return
    case .unwritable(let held, _):
      log.retry()
      for decision in held { append(decision) }
    case .running, .recovering: break
    }
    phase = .shuttingDown([continuation], isLast: false)
    surfaces.pause()
    for id in attached { decideOfItself(.cancel(id, reason: .interrupted, by: nil)) }
    for seat in Array(seats.values) + Array(arriving.values) {
      decideOfItself(.detach(seat.id, surface: seat.surface))
    }
    finishShutDownIfDone()
  }

  /// Records the end when all else is on record and every callback has run; stops when the end is on record too.
  func finishShutDownIfDone() {
    guard case .shuttingDown(let continuations, let isLast) = phase, pending.isEmpty, callbackCount == 0 else { return }
    guard !isLast else { return stop(continuations) }
    phase = .shuttingDown(continuations, isLast: true)
    let detail: JSONValue = ["process": Resolver(process: process).json]
    append(PendingDecision(entries: [AuditEntry(at: clock.wall(), kind: .daemonStopped, detail: detail)]))
  }

  /// Lets go of everybody.
  func stop(_ continuations: [CheckedContinuation<Void, Never>]) {
    phase = .stopped
    stopCallbacks()
    let error = RouterError(.shuttingDown, "cannot go on: shutting down")
    for presentation in open.values {
      for asker in presentation.askers { asker.handle.end(.failure(error)) }
      for watcher in presentation.watchers.values { watcher.end(.failure(error)) }
    }
    open = [:]
    for seat in Array(seats.values) + Array(arriving.values) { seat.events.finish() }
    mailbox.finish()
    timer?.task.cancel()
    for continuation in continuations { continuation.resume() }
  }
}

extension PresentationQueue.Entry {
  /// An open row, with what is left of its clocks: what the wall clock says, never more than it had.
  ///
  /// - Parameter graceEnd: Until when a requester that was attached may come back with its key.
  fileprivate init(row: AuditRow, today: Timestamp, now: Duration, graceEnd: Duration) {
    let presentation = row.presentation
    let request = presentation.request
    let passed = max(.zero, today.duration(since: presentation.requestedAt))
    self.init(
      ticket: PresentationTicket(
        request, id: presentation.id, uid: presentation.requester.process.uid, isAdmin: false),
      phase: presentation.state == .presented ? .shown : .waiting(row.place), isCovered: presentation.covered,
      generation: presentation.generation, timeLeft: request.timeout.map { max(.zero, $0 - passed) },
      queueLeft: request.queueTimeout.map { max(.zero, $0 - passed) }, now: now)
    if presentation.attached, row.isKept { heldUntil = graceEnd }
  }
}
