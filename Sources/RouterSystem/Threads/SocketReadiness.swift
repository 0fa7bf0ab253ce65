import CLinux
import Glibc
package import RouterCore

/// Waits for sockets to become readable or writable with epoll(7), without blocking a task's thread. A single thread
/// waits for all of them.
package final class SocketReadiness: Sendable {
  package enum Direction: Sendable {
    case reading, eitherWay

    fileprivate var events: UInt32 { self == .reading ? Epoll.readable : Epoll.readable | Epoll.writable }
  }

  private struct State {
    var isRunning = false
    /// An array, because a command waits at most twice: instantiating a dictionary type takes longer than scanning.
    var waiting: [(number: UInt32, end: SuspendingClock.Instant?, continuation: CheckedContinuation<Void, any Error>)] = []
    var nextNumber: UInt32 = 0

    /// The waits that took too long.
    var late: [UInt32] {
      guard waiting.contains(where: { $0.end != nil }) else { return [] }
      let now = SuspendingClock.now
      return waiting.compactMap { wait in wait.end.flatMap { $0 <= now ? wait.number : nil } }
    }

    mutating func take(_ number: UInt32) -> CheckedContinuation<Void, any Error>? {
      waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).continuation }
    }
  }

  /// A wait took too long.
  package struct TimedOut: Error {}

  /// The interval of checks for waits that took too long.
  private static let checkInterval = Duration.seconds(5)

  package static let shared = SocketReadiness()

  private let descriptor: CInt
  private let state = Mutex(State())

  private init() {
    descriptor = clinux_epoll_create(Epoll.closedOnExec)
    precondition(descriptor >= 0, "cannot wait for sockets: \(String(cString: strerror(errno)))")
  }

  /// Starts the thread, unless it is running. It runs for the lifetime of the process, like the shared instance.
  ///
  /// - Throws: ``RouterError`` if the thread cannot start.
  package func start() throws(RouterError) {
    try state.withLock { state throws(RouterError) in
      guard !state.isRunning else { return }
      try Thread.start { self.run() }
      state.isRunning = true
    }
  }

  /// Waits for a socket; only one task may wait for each socket. Throws `CancellationError` if the task is canceled before this
  /// returns; ``TimedOut`` after `limit` and up to five seconds, without the time that the machine sleeps; ``RouterError`` if the
  /// kernel cannot watch another socket, or the thread cannot start.
  package func wait(for socket: CInt, _ direction: Direction, limit: Duration? = nil) async throws {
    try start()
    let number = state.withLock { state in
      defer { state.nextNumber &+= 1 }
      return state.nextNumber
    }
    defer { clinux_epoll_ctl(descriptor, Epoll.removing, socket, nil) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isAdded = state.withLock { state in
          var event = clinux_readiness()
          event.events = direction.events | Epoll.once
          event.number = number
          guard clinux_epoll_ctl(descriptor, Epoll.adding, socket, &event) == 0 else { return false }
          state.waiting.append((number, limit.map { .now + $0 }, continuation))
          return true
        }
        if !isAdded {
          let reason = String(cString: strerror(errno))
          continuation.resume(throwing: RouterError(.unreachable, "cannot wait for a connection: \(reason)"))
        } else if Task.isCancelled {
          // The cancellation handler may have run before the continuation was added.
          cancel(number)
        }
      }
    } onCancel: {
      cancel(number)
    }
    try Task.checkCancellation()
  }

  private func cancel(_ number: UInt32) {
    state.withLock { $0.take(number) }?.resume(throwing: CancellationError())
  }

  private func run() {
    var events = Array(repeating: clinux_readiness(), count: 64)
    while true {
      let interval = CInt(Self.checkInterval.components.seconds * 1000)
      let count = Int(clinux_epoll_wait(descriptor, &events, CInt(events.count), interval))
      for event in events.prefix(max(0, count)) {
        state.withLock { $0.take(event.number) }?.resume()
      }
      for number in state.withLock(\.late) { state.withLock { $0.take(number) }?.resume(throwing: TimedOut()) }
    }
  }
}
