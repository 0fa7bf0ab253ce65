import NIOCore
import Router

/// Runs the coordinator on the event loop of the connections, so that requests are handled without a thread hop.
final class LoopExecutor: CoordinatorExecutor {
  let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func perform(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute {
      job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { loop.preconditionInEventLoop() }
}
