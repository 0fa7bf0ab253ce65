import Glibc
import Synchronization

/// Delivers signals to listeners, on one thread. The signal handler writes to a pipe that this thread reads (signal-safety(7)).
///
/// Avoids libdispatch: its worker threads would keep waking an idle process, and it blocks its caller when no thread can start.
package enum Signals {
  private struct Listener {
    let id: Int
    let numbers: [CInt]
    let receive: @Sendable (CInt) -> Void
  }

  private struct State {
    var isRunning = false
    var lastID = 0
    var listeners: [Listener] = []
  }

  private static let state = Mutex(State())
  private static let pipe = Result { try WakePipe() }
  /// The number of the signal that ``whileHandling(_:perform:)`` received; 0 for none.
  private static let received = Atomic<CInt>(0)

  /// Unblocks all signals in the calling thread. Call it on the main thread when a program starts. A parent such as libdispatch
  /// or Foundation's `Process` may have blocked signals; a child inherits that, and could not be stopped.
  package static func unblock() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  /// Calls `receive` for each of the signals, until ``stop(_:)`` is called with the returned number.
  ///
  /// - Throws: ``RouterError`` if the pipe cannot be created or the thread cannot start.
  package static func listen(to numbers: [CInt], _ receive: @escaping @Sendable (CInt) -> Void) throws -> Int {
    try listen(to: numbers, handler: { Signals.report($0) }, receive)
  }

  private static func listen(
    to numbers: [CInt], handler: (@convention(c) (CInt) -> Void)?, _ receive: @escaping @Sendable (CInt) -> Void
  ) throws -> Int {
    let input = try pipe.get().readEnd
    return try state.withLock { state in
      if !state.isRunning { try Thread.start { deliver(from: input) } }
      state.isRunning = true
      state.lastID += 1
      state.listeners.append(Listener(id: state.lastID, numbers: numbers, receive: receive))
      if let handler { for number in numbers { signal(number, handler) } }
      return state.lastID
    }
  }

  /// Stops calling a listener. Signals without a listener get their default action again.
  package static func stop(_ id: Int) {
    state.withLock { state in
      let numbers = state.listeners.first { $0.id == id }?.numbers ?? []
      state.listeners.removeAll { $0.id == id }
      for number in numbers where !state.listeners.contains(where: { $0.numbers.contains(number) }) { signal(number, SIG_DFL) }
    }
  }

  private static func deliver(from input: CInt) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(input, &bytes, bytes.count)
      guard count > 0 else { return }
      for number in bytes[..<count].map(CInt.init) {
        for listener in state.withLock(\.listeners) where listener.numbers.contains(number) { listener.receive(number) }
      }
    }
  }

  /// Part of a signal handler: only async-signal-safe calls.
  private static func report(_ number: CInt) {
    let error = errno
    if case .success(let pipe) = pipe { pipe.wake(UInt8(truncatingIfNeeded: number)) }
    errno = error
  }

  // MARK: Stopping a program

  private static let terminations = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// A signal handler for the first of the signals.
  private static let handleFirst: @convention(c) (CInt) -> Void = { number in
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    signal(SIGHUP, SIG_DFL)
    signal(SIGQUIT, SIG_DFL)
    Signals.received.store(number, ordering: .sequentiallyConsistent)
    Signals.report(number)
  }

  /// Calls `leave` at the first SIGINT, SIGTERM, SIGHUP or SIGQUIT during `perform`, or immediately if one was received before;
  /// a second signal ends the program. May be called concurrently.
  ///
  /// - Throws: ``RouterError`` if the pipe cannot be created or the thread cannot start; any error of `perform`.
  package static func whileHandling<Result>(
    _ leave: @escaping @Sendable () -> Void, perform: () async throws -> Result
  ) async throws -> Result {
    let wasReceived = received.load(ordering: .sequentiallyConsistent) != 0
    let id = try listen(to: terminations, handler: wasReceived ? nil : handleFirst) { _ in leave() }
    defer { stop(id) }
    if wasReceived { leave() }
    return try await perform()
  }

  /// Ends the program by the signal that ``whileHandling(_:perform:)`` received, if any, unless another call is still running.
  /// A calling shell script then stops, as after any program ended by Ctrl-C (www.cons.org/cracauer/sigint.html).
  ///
  /// - Parameter usual: The signal that normally ends the program, with success.
  package static func endByReceived(unless usual: CInt? = nil) {
    let number = received.load(ordering: .sequentiallyConsistent)
    let isHandling = state.withLock { $0.listeners.contains { $0.numbers == terminations } }
    if number != 0, number != usual, !isHandling { kill(getpid(), number) }
  }
}
