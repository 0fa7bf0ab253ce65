import Dispatch

/// Rows are written between commits, for many presentations at once. See ``AuditProjector``.
extension AuditLog {
  /// The number of ended presentations to write at once.
  private static let batch = 64
  /// The pause after rows could not be written.
  private static let retryDelay = Duration.seconds(1)

  /// Writes rows if enough presentations have ended and nothing waits for a commit, or if the changes fill the memory;
  /// otherwise after a delay.
  func projectSoon() {
    let (ended, isFull) = withWriter { ($0.projector.endedCount, $0.projector.isFull) }
    let isIdle = queue.withLock { $0.waiting.isEmpty && !$0.hasFailedToProject }
    if isFull || (ended >= Self.batch && isIdle) { projectNow() }
    guard let executor else { return }
    let mustTime = queue.withLock { queue in
      guard queue.lacksRows, !queue.isProjectionTimed else { return false }
      queue.isProjectionTimed = true
      return true
    }
    guard mustTime else { return }
    let delay = queue.withLock(\.hasFailedToProject) ? Self.retryDelay : Self.projectionDelay
    // Ends after the delay. The weak reference lets the log close, so that its file can be reopened at once. Runs on the
    // log's thread: libdispatch stops its caller while it cannot start a thread.
    Task(executorPreference: executor) { [weak self] in
      try? await PresentationClock.system.sleep(for: delay)
      self?.queue.withLock { $0.isProjectionTimed = false }
      self?.projectNow()
    }
  }

  /// Writes the rows of all committed events. On failure they are written later.
  func projectNow() {
    withWriter { writer in
      let isDone = (try? writer.project()) != nil
      queue.withLock { queue in
        queue.hasFailedToProject = !isDone
        if isDone { queue.lacksRows = false }
      }
    }
  }

  /// Writes the rows of all committed events before a reader reads them. Blocks the calling thread.
  ///
  /// - Parameter limit: How long to wait. A disk that does not respond must not stop readers, which then see the rows of
  ///   earlier events.
  func project(within limit: Duration) {
    guard let executor, queue.withLock(\.lacksRows) else { return }
    let isDone = DispatchSemaphore(value: 0)
    executor.perform {
      self.projectNow()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .milliseconds(Int(clamping: limit.milliseconds)))
  }
}
