/// Runs dismiss callbacks one after the other, in the order in which they are given, beside whoever gives them.
package final class CallbackRunner: Sendable {
  private typealias Callback = @Sendable () async -> Void

  /// `nil` before the first callback: a task would have libdispatch start its threads, in programs that have no callbacks.
  private let callbacks = Mutex<AsyncStream<Callback>.Continuation?>(nil)

  package init() {}

  deinit {
    callbacks.withLock { $0?.finish() }
  }

  /// Puts a callback last, before this returns.
  package func run(_ callback: @escaping @Sendable () async -> Void) {
    callbacks.withLock { callbacks in
      let stream = callbacks ?? Self.start()
      stream.yield(callback)
      callbacks = stream
    }
  }

  /// Runs what comes, until the stream is finished, with the runner.
  private static func start() -> AsyncStream<Callback>.Continuation {
    let (stream, continuation) = AsyncStream<Callback>.makeStream()
    Task {
      for await callback in stream { await callback() }
    }
    return continuation
  }
}
