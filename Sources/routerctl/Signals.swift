import Glibc
import Router
import Synchronization

enum Signals {
  /// Where the handler writes that a signal came; -1 while nobody waits for one.
  private static let bell = Atomic<Int32>(-1)
  /// The signal that came.
  private static let received = Atomic<Int32>(0)

  /// Ends the program by the signal that ``whileHandling(_:perform:)`` handled, if one came. A shell that runs it then stops its
  /// script, as after any program that Ctrl-C ends (www.cons.org/cracauer/sigint.html).
  static func endByReceived() {
    let number = received.load(ordering: .sequentiallyConsistent)
    if number != 0 { kill(getpid(), number) }
  }

  /// Calls `leave` at the first SIGINT, SIGTERM or SIGHUP during `perform`; a second signal ends the program. Not reentrant.
  static func whileHandling<Result>(
    _ leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async rethrows -> Result {
    guard let pipe = try? Pipe() else { return try await perform() }
    let (reading, writing) = (pipe.readEnd, pipe.writeEnd)
    Thread.start {
      var byte: UInt8 = 0
      var count = read(reading, &byte, 1)
      while count < 0, errno == EINTR { count = read(reading, &byte, 1) }
      close(reading)
      // At the end of the pipe there was no signal.
      if count > 0 { leave() }
    }
    bell.store(writing, ordering: .sequentiallyConsistent)
    handle { number in
      // Nothing may be called here but what signal-safety(7) lists.
      Signals.handle(SIG_DFL)
      Signals.received.store(number, ordering: .sequentiallyConsistent)
      var byte: UInt8 = 1
      _ = write(Signals.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
    }
    defer {
      handle(SIG_DFL)
      bell.store(-1, ordering: .sequentiallyConsistent)
      close(writing)
    }
    return try await perform()
  }

  private static func handle(_ handler: (@convention(c) (Int32) -> Void)?) {
    signal(SIGINT, handler)
    signal(SIGTERM, handler)
    signal(SIGHUP, handler)
  }
}
