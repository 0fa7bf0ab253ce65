import DequeModule
import NIOCore
import Router

/// Runs the coordinator on the event loop of the connections, so that requests are handled without a thread hop.
///
/// One task of the event loop runs all enqueued work. A commit of many requests therefore wakes the loop once, and each turn
/// writes to each connection once.
final class LoopExecutor: CoordinatorExecutor {
  private struct Queue {
    var work: Deque<@Sendable () -> Void> = []
    /// Whether a task of the event loop is scheduled to run the work.
    var isScheduled = false
  }

  let loop: any EventLoop
  private let queue = Mutex(Queue())

  init(_ loop: any EventLoop) { self.loop = loop }

  func perform(_ work: @escaping @Sendable () -> Void) {
    let mustSchedule = queue.withLock { queue in
      queue.work.append(work)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if mustSchedule { loop.execute { self.run() } }
  }

  private func run() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    queue.withLock { queue in
      let work = queue.work.popFirst()
      if work == nil { queue.isScheduled = false }
      return work
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    perform {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { loop.preconditionInEventLoop() }
}
