import RouterCore
import RouterSystem

/// Writes rows between commits, for many presentations at once. See ``AuditProjector``.
extension AuditLog {
  /// The number of ended presentations that triggers a write.
  private static let batch = 64
  /// The delay after rows could not be written.
  private static let retryDelay = Duration.seconds(1)

  /// Marks that events were committed, before notifying anyone. Their rows are written within the delay.
  func lackRows() {
    if queue.withLock({ $0.rows.committed() }) { projectLater(after: Self.projectionDelay) }
  }

  /// Writes rows if enough presentations have ended and no commit is waiting, or if the changes fill the memory.
  func projectSoon() {
    let (ended, isFull) = withWriter { ($0.projector.endedCount, $0.projector.isFull) }
    guard isFull || ended >= Self.batch else { return }
    let mayProject = queue.withLock { $0.rows != .failed && (isFull || $0.waiting.isEmpty) }
    if mayProject { projectNow() }
  }

  private func projectLater(after delay: Duration) {
    guard let executor else { return }
    // Ends after the delay. The weak reference lets the log close, so that its file can be reopened immediately. Runs on the
    // log's thread, since libdispatch blocks its caller when no thread can start.
    Task(executorPreference: executor) { [weak self, clock] in
      try? await clock.sleep(for: delay)
      self?.projectNow(isTimed: true)
    }
  }

  /// Writes the rows of all committed events. After a failure, they are written later.
  ///
  /// - Parameter isTimed: Whether ``projectLater(after:)`` is the caller.
  func projectNow(isTimed: Bool = false) {
    let mustTime = withWriter { writer in
      let isDone = (try? writer.project()) != nil
      return queue.withLock { $0.rows.attempted(isDone, isTimed: isTimed) }
    }
    if mustTime { projectLater(after: Self.retryDelay) }
  }

  /// Writes the rows of all committed events before a reader reads them. Blocks the calling thread.
  ///
  /// - Parameter limit: The maximum wait. A disk that does not respond must not block readers, which then see the rows of
  ///   earlier events.
  func project(within limit: Duration) {
    guard let executor, queue.withLock({ !$0.rows.areComplete }) else { return }
    executor.performAndWait(atMost: limit) { self.projectNow() }
  }
}
