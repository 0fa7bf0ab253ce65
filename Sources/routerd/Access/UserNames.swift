import NIOCore
import Router

/// The names of users for display, cached by uid. A name service may take seconds, so lookups run on their own thread, and
/// block neither the event loop nor the worker.
final class UserNames: Sendable {
  /// The time after which a name is looked up again.
  static let age = Duration.seconds(300)
  /// The maximum number of cached users.
  static let maximumCount = 1024
  /// The maximum wait of ``find(_:on:)`` for an unknown name.
  static let patience = TimeAmount.milliseconds(100)

  private struct User {
    var name: String?
    /// The time of the last lookup; `nil` before the first.
    var time: Duration?
    var isBeingLookedUp = false
    var waiting: [EventLoopPromise<String?>] = []
  }

  private let users: Mutex<[UInt32: User]> = Mutex([:])
  private let thread: any WorkThread
  private let now: @Sendable () -> Duration
  private let lookUp: @Sendable (UInt32) -> String?

  /// - Throws: ``RouterError`` if the thread cannot start.
  init(
    startThread: StartThread = { () throws(RouterError) in try ThreadExecutor() },
    now: @escaping @Sendable () -> Duration = { PresentationClock.system.now() },
    lookUp: @escaping @Sendable (UInt32) -> String? = { ProcessIdentity.userName(of: $0) }
  ) throws {
    thread = try startThread()
    self.now = now
    self.lookUp = lookUp
  }

  /// The number of cached users.
  var count: Int { users.withLock(\.count) }

  /// Returns a user's name without waiting; `nil` if it is unknown. Starts a lookup if the name is unknown or outdated.
  @discardableResult
  func name(of uid: UInt32) -> String? {
    users.withLock { users in
      refresh(uid, in: &users)
      return users[uid]?.name
    }
  }

  /// Returns a user's name, immediately if it is known; `nil` if the user has no name, or the lookup takes longer than
  /// ``patience``.
  func find(_ uid: UInt32, on loop: any EventLoop) -> EventLoopFuture<String?> {
    users.withLock { users in
      refresh(uid, in: &users)
      guard let user = users[uid], user.time == nil else { return loop.makeSucceededFuture(users[uid]?.name) }
      let promise = loop.makePromise(of: String?.self)
      users[uid]!.waiting.append(promise)
      let name = promise.futureResult
      let timer = loop.scheduleTask(in: Self.patience) { self.stopWaiting(promise, for: uid) }
      name.whenComplete { _ in timer.cancel() }
      return name
    }
  }

  /// Runs a body that looks up users, such as a reload of the configuration.
  ///
  /// - Throws: `CancellationError` if the task is canceled before the body runs.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let waiter = Mutex<CheckedContinuation<Value, any Error>?>(nil)
    let finish = { @Sendable (result: Result<Value, any Error>) in
      waiter.withLock { waiter in
        waiter?.resume(with: result)
        waiter = nil
      }
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.withLock { $0 = continuation }
        // The cancellation handler may have run before.
        guard !Task.isCancelled else { return finish(.failure(CancellationError())) }
        thread.perform { finish(Result { try body() }) }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }

  private func refresh(_ uid: UInt32, in users: inout [UInt32: User]) {
    let now = now()
    if let user = users[uid], user.isBeingLookedUp || user.time.map({ now - $0 < Self.age }) == true { return }
    guard users[uid] != nil || makeRoom(in: &users) else { return }
    users[uid, default: User()].isBeingLookedUp = true
    thread.perform { self.note(self.lookUp(uid), of: uid) }
  }

  /// Removes the user with the oldest lookup. Returns false if all lookups are still running.
  private func makeRoom(in users: inout [UInt32: User]) -> Bool {
    guard users.count >= Self.maximumCount else { return true }
    let done = users.filter { !$0.value.isBeingLookedUp }
    guard let oldest = done.min(by: { $0.value.time ?? .zero < $1.value.time ?? .zero }) else { return false }
    users[oldest.key] = nil
    return true
  }

  private func note(_ name: String?, of uid: UInt32) {
    let waiting = users.withLock { users in
      let waiting = users[uid]?.waiting ?? []
      users[uid] = User(name: name, time: now())
      return waiting
    }
    for promise in waiting { promise.succeed(name) }
  }

  private func stopWaiting(_ promise: EventLoopPromise<String?>, for uid: UInt32) {
    users.withLock { $0[uid]?.waiting.removeAll { $0.futureResult === promise.futureResult } }
    // Later results are ignored.
    promise.succeed(nil)
  }
}
