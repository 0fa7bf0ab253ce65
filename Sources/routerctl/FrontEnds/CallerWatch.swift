import Glibc
import Router
import Synchronization

/// Detects that a question is abandoned, because a caller has exited or a signal asks the program to stop.
enum CallerWatch {
  /// A pipe that becomes readable at the first signal and stays readable, so that every watching thread sees it.
  private static let signaled = try? Pipe()
  /// The write end for the signal handler, which must not initialize anything; -1 while nothing is being watched.
  private static let wakeDescriptor = Atomic<Int32>(-1)
  private static let received = Atomic<Int32>(0)
  /// The number of open questions.
  private static let count = Mutex(0)

  /// Calls `leave` if the parent or one of `callers` exits during `perform`, or on SIGINT, SIGTERM or SIGHUP. After a signal,
  /// the program ends when the last `perform` has returned; a second signal ends it at once.
  ///
  /// - Throws: ``RouterError`` if the watching thread cannot start; any error of `perform`.
  static func watching<Result>(
    parent: Int32, _ callers: [Int32], leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async throws -> Result {
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
    // If the parent has exited, its id may already belong to another process.
    if isGone || getppid() != parent { leave() }
    let watched = descriptors
    do {
      try Thread.start { watch(watched, leave) }
    } catch {
      for descriptor in watched.dropFirst() { close(descriptor) }
      throw error
    }
    return try await perform()
  }

  /// Waits for the end of the watch or of a caller. The descriptors are those of the first signal, of the end and of the
  /// callers; all but the first are closed.
  private static func watch(_ watched: [CInt], _ leave: () -> Void) {
    var polled = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, nfds_t(polled.count), -1) < 0, errno == EINTR {}
    let isOver = polled[1].revents != 0
    for descriptor in watched.dropFirst() { close(descriptor) }
    if !isOver { leave() }
  }

  private static func start(_ signaled: Pipe) {
    count.withLock { count in
      count += 1
      guard count == 1, received.load(ordering: .relaxed) == 0 else { return }
      wakeDescriptor.store(signaled.writeEnd, ordering: .sequentiallyConsistent)
      handle { number in
        // A signal handler: only async-signal-safe calls (signal-safety(7)).
        CallerWatch.handle(SIG_DFL)
        CallerWatch.received.store(number, ordering: .sequentiallyConsistent)
        var byte: UInt8 = 1
        _ = write(CallerWatch.wakeDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
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
