import Dispatch
import Glibc
package import RouterCore

/// The executor of a coordinator: a single thread, so that its state needs no lock.
package protocol CoordinatorExecutor: SerialExecutor, TaskExecutor {
  /// Enqueues `work` after all earlier work.
  func perform(_ work: @escaping @Sendable () -> Void)
}

/// A thread for work that may block.
package protocol WorkThread: CoordinatorExecutor {
  /// Enqueues `work` after all earlier work, and blocks the calling thread until it has run, at most for a duration.
  func performAndWait(atMost limit: Duration, _ work: @escaping @Sendable () -> Void)
}

/// Starts a thread.
///
/// - Throws: ``RouterError`` if it cannot start.
package typealias StartThread = @Sendable () throws(RouterError) -> any WorkThread

/// Runs jobs on a dedicated thread, which may block. libdispatch on Linux wakes an idle process once a second to watch its
/// workers, so this does not use a dispatch queue.
package final class ThreadExecutor: WorkThread {
  /// The state shared by the thread and the executor. The thread does not retain the executor.
  private final class Inbox: Sendable {
    struct State {
      var work: [@Sendable () -> Void] = []
      var isFinished = false
      var thread: pthread_t?
    }

    let state = Mutex(State())
    let semaphore = DispatchSemaphore(value: 0)

    func run() {
      state.withLock { $0.thread = pthread_self() }
      while true {
        semaphore.wait()
        let (work, isFinished) = state.withLock { state in
          defer { state.work = [] }
          return (state.work, state.isFinished)
        }
        for item in work { item() }
        if isFinished, work.isEmpty { return }
      }
    }
  }

  private let inbox = Inbox()

  /// - Throws: ``RouterError`` if the thread cannot start.
  package init() throws(RouterError) {
    try Thread.start { [inbox] in inbox.run() }
  }

  deinit {
    inbox.state.withLock { $0.isFinished = true }
    inbox.semaphore.signal()
  }

  package func perform(_ work: @escaping @Sendable () -> Void) {
    let mustWake = inbox.state.withLock { state in
      state.work.append(work)
      return state.work.count == 1
    }
    if mustWake { inbox.semaphore.signal() }
  }

  package func performAndWait(atMost limit: Duration, _ work: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    perform {
      work()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .milliseconds(Int(clamping: limit.milliseconds)))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    perform {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func checkIsolated() {
    let thread = inbox.state.withLock(\.thread)
    precondition(thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "this runs on its own thread alone")
  }
}
