import CLinux
import Glibc

/// Waits until sockets can be read or written, by epoll(7), for tasks that may not block.
///
/// One thread waits for all of a process; it is started by the first who waits, and nothing wakes it while nothing comes.
package final class SocketReadiness: Sendable {
  /// What a socket is waited for.
  package enum Direction: Sendable {
    case reading, eitherWay

    fileprivate var events: UInt32 { self == .reading ? Epoll.readable : Epoll.readable | Epoll.writable }
  }

  private struct State {
    /// Who waits. A dictionary would find one sooner among thousands, and a command has one or two: to find out how to hash their
    /// numbers takes the runtime longer than all of their waits.
    var waiting: [(number: UInt32, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Those who were cancelled before they began to wait.
    var cancelled: [UInt32] = []
    var nextNumber: UInt32 = 0

    mutating func take(_ number: UInt32) -> CheckedContinuation<Void, any Error>? {
      waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).continuation }
    }

    /// - Returns: Whether it was cancelled before it began to wait.
    mutating func forgetCancellation(of number: UInt32) -> Bool {
      guard let index = cancelled.firstIndex(where: { $0 == number }) else { return false }
      cancelled.remove(at: index)
      return true
    }
  }

  package static let shared = SocketReadiness()

  private let descriptor: CInt
  private let state = Mutex(State())

  private init() {
    descriptor = clinux_epoll_create(Epoll.closedOnExec)
    precondition(descriptor >= 0, "cannot wait for sockets: \(String(cString: strerror(errno)))")
    // Lives as long as the process, as the shared one does.
    Thread.start { self.run() }
  }

  /// Waits for a socket, which nobody else may wait for at the same time.
  ///
  /// - Throws: `CancellationError` if the task is canceled before this returns, even once the socket is ready;
  ///   ``RouterError`` if the kernel cannot watch another socket.
  package func wait(for socket: CInt, _ direction: Direction) async throws {
    let number = state.withLock { state in
      defer { state.nextNumber &+= 1 }
      return state.nextNumber
    }
    defer {
      clinux_epoll_ctl(descriptor, Epoll.removing, socket, nil)
      // A task canceled after it was told leaves its number behind.
      _ = state.withLock { $0.forgetCancellation(of: number) }
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let failure = state.withLock { state -> (any Error)? in
          if state.forgetCancellation(of: number) { return CancellationError() }
          var event = clinux_readiness()
          event.events = direction.events | Epoll.once
          event.number = number
          guard clinux_epoll_ctl(descriptor, Epoll.adding, socket, &event) == 0 else {
            return RouterError(.unreachable, "cannot wait for a connection: \(String(cString: strerror(errno)))")
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let failure { continuation.resume(throwing: failure) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let continuation = state.take(number)
        if continuation == nil { state.cancelled.append(number) }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }

  private func run() {
    var events = Array(repeating: clinux_readiness(), count: 64)
    while true {
      let count = Int(clinux_epoll_wait(descriptor, &events, CInt(events.count), -1))
      for event in events.prefix(max(0, count)) {
        state.withLock { $0.take(event.number) }?.resume()
      }
    }
  }
}
