/// Runs dismiss callbacks one after the other, in the order in which they are given, beside whoever gives them.
package final class CallbackRunner: Sendable {
  private let callbacks: AsyncStream<@Sendable () async -> Void>.Continuation

  package init() {
    let (stream, continuation) = AsyncStream<@Sendable () async -> Void>.makeStream()
    callbacks = continuation
    // Ends when the stream is finished, with this object.
    Task {
      for await callback in stream { await callback() }
    }
  }

  deinit {
    callbacks.finish()
  }

  /// Puts a callback last, before this returns.
  package func run(_ callback: @escaping @Sendable () async -> Void) {
    callbacks.yield(callback)
  }
}
