import Router

/// A counting semaphore with a FIFO queue.
///
/// All tests start at once, and 140 daemons would exhaust the machine's descriptors and slow each other down.
final class ConcurrencyLimit: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isIn { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
