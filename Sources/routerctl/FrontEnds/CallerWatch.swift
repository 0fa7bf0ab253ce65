import Glibc
import Router
import Synchronization

/// Notices that nobody waits for a question any more: a caller has ended, or a signal asks the program to leave.
enum CallerWatch {
  /// A pipe that becomes readable at the first signal and stays so: every thread that watches sees it.
  private static let signaled = try? Pipe()
  /// The write end for the signal handler, which must not initialize anything; -1 while nothing is watched.
  private static let bell = Atomic<Int32>(-1)
  private static let received = Atomic<Int32>(0)
  /// How many questions are open.
  private static let count = Mutex(0)

  /// Calls `leave` when the parent or one of `callers` ends during `perform`, or at SIGINT, SIGTERM or SIGHUP. A second signal
  /// ends the program at once; so does the first, when the last `perform` has returned.
  static func watching<Result>(
    parent: Int32, _ callers: [Int32], leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async rethrows -> Result {
    guard let signaled, let ended = try? Pipe() else { return try await perform() }
    start(signaled)
    defer {
      close(ended.writeEnd)
      stop()
    }
    var descriptors = [signaled.readEnd, ended.readEnd]
    var isGone = false
    for caller in [parent] + callers where caller > 0 {
      if let descriptor = Descriptors.process(caller) {
        descriptors.append(descriptor)
      } else if errno == ESRCH {
        isGone = true
      }
    }
    // A parent that has ended leaves this process to another, and its id may be another's by now.
    if isGone || getppid() != parent { leave() }
    let watched = descriptors
    Thread.start {
      var polled = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
      let isOver = polled[1].revents != 0
      for descriptor in watched.dropFirst() { close(descriptor) }
      if !isOver { leave() }
    }
    return try await perform()
  }

  private static func start(_ signaled: Pipe) {
    count.withLock { count in
      count += 1
      guard count == 1, received.load(ordering: .relaxed) == 0 else { return }
      bell.store(signaled.writeEnd, ordering: .sequentiallyConsistent)
      handle { number in
        // Nothing may be called here but what signal-safety(7) lists.
        CallerWatch.handle(SIG_DFL)
        CallerWatch.received.store(number, ordering: .sequentiallyConsistent)
        var byte: UInt8 = 1
        _ = write(CallerWatch.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
      }
    }
  }

  private static func stop() {
    let isLast = count.withLock { count in
      count -= 1
      if count == 0 { handle(SIG_DFL) }
      return count == 0
    }
    let number = received.load(ordering: .sequentiallyConsistent)
    if isLast, number != 0 { kill(getpid(), number) }
  }

  private static func handle(_ handler: (@convention(c) (Int32) -> Void)?) {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, handler) }
  }
}
