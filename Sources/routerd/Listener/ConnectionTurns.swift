import DequeModule
import NIOCore
import OrderedCollections
import Router

/// Sets up accepted connections, alternating between users. A user who opens many at once would otherwise delay all others,
/// since setting up a connection, above all reading `/proc`, takes far longer than accepting it.
final class ConnectionTurns: Sendable {
  private struct Waiting {
    /// The pending setups by user, in the order of their turns.
    var setups: OrderedDictionary<UInt32, Deque<@Sendable () -> Void>> = [:]
    /// Whether a turn of the event loop is scheduled to continue.
    var isScheduled = false

    mutating func add(_ setup: @escaping @Sendable () -> Void, of uid: UInt32) {
      setups[uid, default: []].append(setup)
    }

    mutating func next() -> (@Sendable () -> Void)? {
      guard !setups.isEmpty else { return nil }
      var (uid, rest) = setups.removeFirst()
      defer { if !rest.isEmpty { setups[uid] = rest } }
      return rest.popFirst()
    }
  }

  /// The number of setups per turn of the event loop, and the pause after it: the loop accepts and reads only when no task is
  /// due.
  private static let (perTurn, pause) = (4, TimeAmount.microseconds(500))

  private let waiting = Mutex(Waiting())

  /// Sets up a connection at its user's turn. Called on the connection's event loop.
  ///
  /// - Returns: A future of the setup, which fails with its error.
  func take(_ channel: any Channel, of uid: UInt32, _ setUp: @escaping @Sendable () throws -> Void) -> EventLoopFuture<Void> {
    let done = channel.eventLoop.makePromise(of: Void.self)
    let mustSchedule = waiting.withLock { waiting in
      waiting.add({ done.completeWith(Result(catching: setUp)) }, of: uid)
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if mustSchedule { channel.eventLoop.execute { self.run(on: channel.eventLoop) } }
    return done.futureResult
  }

  private func run(on loop: any EventLoop) {
    for _ in 0..<Self.perTurn {
      guard let setUp = waiting.withLock({ $0.next() }) else { break }
      setUp()
    }
    let isDone = waiting.withLock { waiting in
      if waiting.setups.isEmpty { waiting.isScheduled = false }
      return waiting.setups.isEmpty
    }
    if !isDone { loop.scheduleTask(in: Self.pause) { self.run(on: loop) } }
  }
}
