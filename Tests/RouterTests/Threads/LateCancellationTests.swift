import Glibc
import Testing

@testable import Router
@testable import RouterSystem

/// Tasks canceled after they are woken and before they resume.
@Suite(.timeLimit(.minutes(10)))
struct LateCancellationTests {
  /// Runs a wait until it suspends, wakes it and then cancels it.
  ///
  /// - Parameter wake: Ends the wait, called once the wait is suspended.
  /// - Returns: `false` if the wait did not suspend: it was woken too early to test anything.
  private func cancelAfterWakeUp(
    _ wait: @escaping @Sendable () async throws -> Void, wake: () -> Void = {}
  ) async throws -> Bool {
    let executor = SteppedExecutor()
    let task = Task(executorPreference: executor) {
      defer { executor.finish() }
      try await wait()
    }
    executor.run(try #require(await executor.next()))
    wake()
    guard let wakeUp = await executor.next() else { return false }
    task.cancel()
    executor.run(wakeUp)
    while let job = await executor.next() { executor.run(job) }
    await #expect(throws: CancellationError.self) { try await task.value }
    return true
  }

  @Test func `a sleeper canceled after its wake-up throws`() async throws {
    var (count, delay) = (0, Duration.milliseconds(5))
    while count < 8 {
      let time = delay
      let isTested = try await cancelAfterWakeUp {
        try await BootTimer.shared.sleep(until: BootTimer.now + time)
      }
      // A busy machine may wake the sleeper before it suspends.
      if isTested { count += 1 } else { delay *= 2 }
    }
  }

  @Test func `a wait canceled after its socket became ready throws`() async throws {
    let pipe = try #require(Descriptors.pipe())
    defer {
      close(pipe.readEnd)
      close(pipe.writeEnd)
    }
    let readEnd = pipe.readEnd
    let isTested = try await cancelAfterWakeUp {
      try await SocketReadiness.shared.wait(for: readEnd, .reading)
    } wake: {
      #expect(write(pipe.writeEnd, "x", 1) == 1)
    }
    #expect(isTested)
    // The descriptor can be waited for again.
    try await SocketReadiness.shared.wait(for: readEnd, .reading)
  }
}

/// An executor that runs a task's jobs only when a test tells it to.
private final class SteppedExecutor: TaskExecutor {
  private let jobs: AsyncStream<UnownedJob>
  private let enqueued: AsyncStream<UnownedJob>.Continuation

  init() {
    (jobs, enqueued) = AsyncStream.makeStream()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    enqueued.yield(UnownedJob(job))
  }

  /// Marks the task as having no further jobs.
  func finish() {
    enqueued.finish()
  }

  /// Waits for the next job; `nil` when there are no more.
  func next() async -> UnownedJob? {
    for await job in jobs { return job }
    return nil
  }

  func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
