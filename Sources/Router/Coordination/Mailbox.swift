/// A first-in, first-out mailbox: sending is synchronous and never waits, and one reader takes all that has come.
///
/// Actor jobs alone keep no order between callers; this does.
final class Mailbox<Message: Sendable>: Sendable {
  private struct State {
    var messages: [Message] = []
    var reader: CheckedContinuation<Void, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Puts a message last. After ``finish()`` it is dropped, and false is returned.
  @discardableResult
  func send(_ message: Message) -> Bool {
    let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard !state.isFinished else { return (false, nil) }
      state.messages.append(message)
      defer { state.reader = nil }
      return (true, state.reader)
    }
    reader?.resume()
    return isTaken
  }

  /// Takes nothing any more; the reader gets what is there, and then the end.
  func finish() {
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isFinished = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  /// Waits for messages and takes them all; `nil` at the end. There is one reader.
  func next() async -> [Message]? {
    while true {
      let messages = state.withLock { state -> [Message]? in
        guard !state.messages.isEmpty else { return state.isFinished ? nil : [] }
        defer { state.messages = [] }
        return state.messages
      }
      guard let messages else { return nil }
      if !messages.isEmpty { return messages }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.messages.isEmpty, !state.isFinished else { return true }
          precondition(state.reader == nil, "a mailbox has one reader")
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
