import Dispatch

/// Runs a task, and actors with this executor, on the calling thread. Starting threads would take longer than most commands.
package final class CallingThread: TaskExecutor, SerialExecutor {
  @TaskLocal package static var current: CallingThread?

  private struct State {
    var jobs: [UnownedJob] = []
    var isFinished = false
  }

  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs a task to completion. Its child tasks run here too, but unstructured tasks do not.
  package static func run(_ body: @escaping @Sendable () async -> Void) {
    let thread = CallingThread()
    Task(executorPreference: thread) {
      await $current.withValue(thread) { await body() }
      thread.finish()
    }
    thread.takeJobs()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    if mustWake { semaphore.signal() }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  private func finish() {
    state.withLock { $0.isFinished = true }
    semaphore.signal()
  }

  private func takeJobs() {
    while true {
      semaphore.wait()
      let (jobs, isFinished) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isFinished)
      }
      for job in jobs {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      if isFinished, jobs.isEmpty { return }
    }
  }
}
