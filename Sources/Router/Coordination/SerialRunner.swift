/// Runs asynchronous work items one at a time, in order.
package final class SerialRunner: Sendable {
  package typealias Work = @Sendable () async -> Void

  /// `nil` before the first item, so that programs without work need no task and no libdispatch threads.
  private let queue = Mutex<AsyncStream<Work>.Continuation?>(nil)

  package init() {}

  deinit {
    queue.withLock { $0?.finish() }
  }

  /// Enqueues a work item.
  package func run(_ work: @escaping Work) {
    queue.withLock { queue in
      let continuation = queue ?? Self.start()
      continuation.yield(work)
      queue = continuation
    }
  }

  /// Waits until all previously added work items have returned.
  package func finished() async {
    await withCheckedContinuation { continuation in run { continuation.resume() } }
  }

  private static func start() -> AsyncStream<Work>.Continuation {
    let (stream, continuation) = AsyncStream<Work>.makeStream()
    // Ends with the runner, after the queued work.
    Task(executorPreference: CallingThread.current) {
      for await work in stream { await work() }
    }
    return continuation
  }
}
