import Router

/// Sends requests one after the other, each when the one before is known to be accepted or refused: two calls in a row
/// reach the daemon on two connections, and only this keeps their order.
final class RequestMailbox: Sendable {
  private struct State {
    var waiting: [AttachedRequest] = []
    var isSending = false
  }

  private let state = Mutex(State())

  /// Puts a request at the end of the line, before this returns.
  func submit(_ request: AttachedRequest) {
    let mustStart = state.withLock { state in
      state.waiting.append(request)
      defer { state.isSending = true }
      return !state.isSending
    }
    guard mustStart else { return }
    // Ends when the line is empty; each wait in it ends with its request's connection.
    Task(executorPreference: CallingThread.current) { await self.sendAll() }
  }

  private func sendAll() async {
    while let request = next() {
      request.send()
      await request.settled()
    }
  }

  private func next() -> AttachedRequest? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isSending = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
