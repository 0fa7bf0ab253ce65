/// A signal for one service to stop.
struct StopSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func send() {
    continuation.finish()
  }

  /// Returns once the signal is sent or the task is canceled. Only one task may wait.
  func wait() async {
    for await _ in stream {}
  }

  /// Runs `body`, and cancels it once the signal is sent.
  func runUntilSent(_ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await body() }
      tasks.addTask { await wait() }
      await tasks.next()
      tasks.cancelAll()
    }
  }
}
