import CSwiftTasks
import NIOCore
import NIOPosix

/// Runs Swift's tasks where the connections are, on NIO's event loops: nothing is handed over between threads, and libdispatch has
/// no workers, whose pool would wake an idle process once a second.
///
/// As `NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()`, with two differences
/// (`Docs/Decisions/task-loops.md`): the runtime's variable is bound by the linker and not looked up by name, which finds nothing in a
/// program with Swift linked into it; and jobs run as on the global executor and not as on the loop's own, which to the runtime
/// is another, so that each asynchronous function would wait for the loop's next turn before it begins.
enum TaskLoops {
  /// Takes over all tasks that have no executor of their own. To be called once, by the main thread, before there are any.
  static func takeTasks() {
    // What the hook is called with is only known to hold for these versions; beyond them, tasks run as they usually do.
    #if compiler(<6.4)
      let enqueue: Hook = { job, _ in
        // The loop that runs already, if this is one of them.
        MultiThreadedEventLoopGroup.singleton.any().execute {
          cswifttasks_run(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        }
      }
      withUnsafeTemporaryAllocation(of: Hook.self, capacity: 1) { place in
        place.initializeElement(at: 0, to: enqueue)
        UnsafeRawPointer(place.baseAddress!).withMemoryRebound(to: UnsafeRawPointer.self, capacity: 1) {
          cswifttasks_set_enqueue($0.pointee)
        }
      }
    #endif
  }

  /// A function of Swift's own convention, without a context. The runtime passes what would run the task otherwise.
  private typealias Hook = @convention(thin) (UnownedJob, @convention(thin) (UnownedJob) -> Void) -> Void
}

/// Runs the tasks that prefer it on one event loop: those of a connection where its socket is read and written, whoever wakes them.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
