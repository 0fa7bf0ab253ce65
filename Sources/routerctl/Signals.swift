import Glibc
import Router
import Synchronization

enum Signals {
  /// The descriptor that the handler writes to; -1 while no signal is awaited.
  private static let wakeDescriptor = Atomic<Int32>(-1)
  /// The number of the received signal; 0 for none.
  private static let received = Atomic<Int32>(0)

  /// Ends the program by the signal that ``whileHandling(_:perform:)`` received, if any. A calling shell script then stops, as
  /// after any program ended by Ctrl-C (www.cons.org/cracauer/sigint.html).
  static func endByReceived() {
    let number = received.load(ordering: .sequentiallyConsistent)
    if number != 0 { kill(getpid(), number) }
  }

  /// Calls `leave` at the first SIGINT, SIGTERM or SIGHUP during `perform`; a second signal ends the program. Not reentrant.
  ///
  /// - Throws: ``RouterError`` if the waiting thread cannot start; any error of `perform`.
  static func whileHandling<Result>(
    _ leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async throws -> Result {
    guard let pipe = try? Pipe() else { return try await perform() }
    let (reading, writing) = (pipe.readEnd, pipe.writeEnd)
    do {
      try Thread.start {
        var byte: UInt8 = 0
        var count = read(reading, &byte, 1)
        while count < 0, errno == EINTR { count = read(reading, &byte, 1) }
        close(reading)
        // A count of 0 is the end of the pipe: no signal came.
        if count > 0 { leave() }
      }
    } catch {
      close(reading)
      close(writing)
      throw error
    }
    wakeDescriptor.store(writing, ordering: .sequentiallyConsistent)
    handle { number in
      // A signal handler: only async-signal-safe calls (signal-safety(7)).
      Signals.handle(SIG_DFL)
      Signals.received.store(number, ordering: .sequentiallyConsistent)
      var byte: UInt8 = 1
      _ = write(Signals.wakeDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
    }
    defer {
      handle(SIG_DFL)
      wakeDescriptor.store(-1, ordering: .sequentiallyConsistent)
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
