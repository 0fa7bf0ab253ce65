import DequeModule
import Glibc

/// Runs an actor's work one after the other on whichever thread brings it: who comes while nobody is at it stays until all is
/// done, and who comes later leaves the work there and goes on.
///
/// So nothing is handed over to another thread that sleeps, which takes longer than what a coordinator does with a message. It is
/// for work that is short and never waits.
final class TurnExecutor: SerialExecutor {
  private enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  private struct State {
    var waiting: Deque<Work> = []
    /// Whose turn it is.
    var thread: pthread_t?
  }

  private let state = Mutex(State())

  init() {}

  /// Runs something after all that came before: now, unless somebody is at it.
  func perform(_ body: @escaping @Sendable () -> Void) {
    take(.body(body))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    take(.job(UnownedJob(job)))
  }

  private func take(_ work: sending Work) {
    let isTurn = state.withLock { state in
      guard state.thread == nil else {
        state.waiting.append(work)
        return false
      }
      state.thread = pthread_self()
      return true
    }
    guard isTurn else { return }
    // A job does not keep its actor's executor, and may be the last of the actor.
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    var next: Work? = work
    while let work = next {
      switch work {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .body(let body): body()
      }
      next = state.withLock { state in
        if let work = state.waiting.popFirst() { return work }
        state.thread = nil
        return nil
      }
    }
  }

  func checkIsolated() {
    let thread = state.withLock(\.thread)
    precondition(thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "this runs in its turn alone")
  }
}
