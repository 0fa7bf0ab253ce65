import Dispatch
import RouterCore
import RouterSystem

/// Rows are written between commits, for many presentations at once. See ``AuditProjector``.
extension AuditLog {
  /// The number of ended presentations to write at once.
  private static let batch = 64
  /// The pause after rows could not be written.
  private static let retryDelay = Duration.seconds(1)

  /// Notes that events were committed, before anyone is told. Their rows are written after a delay at the latest.
  func lackRows() {
    if queue.withLock({ $0.rows.committed() }) { projectLater(after: Self.projectionDelay) }
  }

  /// Writes rows if enough presentations have ended and nothing waits for a commit, or if the changes fill the memory.
  func projectSoon() {
    let (ended, isFull) = withWriter { ($0.projector.endedCount, $0.projector.isFull) }
    guard isFull || ended >= Self.batch else { return }
    let mayProject = queue.withLock { $0.rows != .failed && (isFull || $0.waiting.isEmpty) }
    if mayProject { projectNow() }
  }

  private func projectLater(after delay: Duration) {
    guard let executor else { return }
    // Ends after the delay. The weak reference lets the log close, so that its file can be reopened at once. Runs on the
    // log's thread: libdispatch stops its caller while it cannot start a thread.
    Task(executorPreference: executor) { [weak self] in
      try? await PresentationClock.system.sleep(for: delay)
      self?.projectNow(isTimed: true)
    }
  }

  /// Writes the rows of all committed events. On failure they are written later.
  ///
  /// - Parameter isTimed: Whether ``projectLater(after:)`` calls it.
  func projectNow(isTimed: Bool = false) {
    let mustTime = withWriter { writer in
      let isDone = (try? writer.project()) != nil
      return queue.withLock { $0.rows.attempted(isDone, isTimed: isTimed) }
    }
    if mustTime { projectLater(after: Self.retryDelay) }
  }

  /// Writes the rows of all committed events before a reader reads them. Blocks the calling thread.
  ///
  /// - Parameter limit: How long to wait. A disk that does not respond must not stop readers, which then see the rows of
  ///   earlier events.
  func project(within limit: Duration) {
    guard let executor, queue.withLock({ !$0.rows.areComplete }) else { return }
    let isDone = DispatchSemaphore(value: 0)
    executor.perform {
      self.projectNow()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .milliseconds(Int(clamping: limit.milliseconds)))
  }
}
