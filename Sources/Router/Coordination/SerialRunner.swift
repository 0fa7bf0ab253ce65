/// Runs asynchronous work in the order in which it is added, one piece after the other.
package final class SerialRunner: Sendable {
  package typealias Work = @Sendable () async -> Void

  /// `nil` before the first piece: programs that have no work need no task, and so no threads of libdispatch.
  private let queue = Mutex<AsyncStream<Work>.Continuation?>(nil)

  package init() {}

  deinit {
    queue.withLock { $0?.finish() }
  }

  /// Adds a piece of work; it is in line when this returns.
  package func run(_ work: @escaping Work) {
    queue.withLock { queue in
      let continuation = queue ?? Self.start()
      continuation.yield(work)
      queue = continuation
    }
  }

  private static func start() -> AsyncStream<Work>.Continuation {
    let (stream, continuation) = AsyncStream<Work>.makeStream()
    // Ends with the runner, after what is in line.
    Task(executorPreference: CallingThread.current) {
      for await work in stream { await work() }
    }
    return continuation
  }
}
