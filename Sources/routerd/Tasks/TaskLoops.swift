import CSwiftTasks
import NIOCore
import NIOPosix

/// Runs Swift's tasks where the connections are, on NIO's event loops: nothing is handed over between threads, and libdispatch has
/// no workers, whose pool would wake an idle process once a second.
///
/// As `NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()`, which looks the runtime's variable
/// up by name and so does not find it in a program with Swift linked into it; this one is bound by the linker
/// (`Docs/Decisions/task-loops.md`).
enum TaskLoops {
  /// Takes over all tasks that have no executor of their own. To be called once, by the main thread, before there are any.
  static func takeTasks() {
    // What the hook is called with is only known to hold for these versions; beyond them, tasks run as they usually do.
    #if compiler(<6.4)
      let enqueue: Hook = { job, _ in
        // The loop that runs already, if this is one of them.
        MultiThreadedEventLoopGroup.singleton.any().executor.enqueue(ExecutorJob(job))
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
