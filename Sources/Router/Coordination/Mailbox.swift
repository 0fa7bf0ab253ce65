/// A first-in, first-out mailbox: sending is synchronous and never waits, and what has come is read together, in the reader's turn.
///
/// Actor jobs alone keep no order between callers; this does.
final class Mailbox<Message: Sendable>: Sendable {
  /// Takes what has come. Called one at a time, as the executor does.
  typealias Reader = @Sendable ([Message]) -> Void

  private struct State {
    var messages: [Message] = []
    var reader: Reader?
    /// Whether somebody is reading or about to.
    var isRead = false
    var isFinished = false
  }

  private let state = Mutex(State())
  private let executor: TurnExecutor

  /// - Parameter executor: Where messages are read: on the thread that sends, unless it is somebody else's turn.
  init(executor: TurnExecutor) {
    self.executor = executor
  }

  /// Has messages read from now on, those that are there first. There is one reader.
  func open(_ reader: @escaping Reader) {
    state.withLock { state in
      precondition(state.reader == nil, "a mailbox has one reader")
      state.reader = reader
    }
    read()
  }

  /// Puts a message last. After ``finish()`` it is dropped, and false is returned.
  @discardableResult
  func send(_ message: Message) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isFinished else { return false }
      state.messages.append(message)
      return true
    }
    if isTaken { read() }
    return isTaken
  }

  /// Takes nothing any more; the reader gets what is there, and is let go.
  func finish() {
    state.withLock { $0.isFinished = true }
    read()
  }

  /// Has what is there read, unless somebody is at it or there is no reader yet.
  private func read() {
    let mustRead = state.withLock { state in
      guard state.reader != nil, !state.isRead else { return false }
      state.isRead = true
      return true
    }
    guard mustRead else { return }
    executor.perform { [self] in
      while let (messages, reader) = next() { reader(messages) }
    }
  }

  private func next() -> (messages: [Message], reader: Reader)? {
    state.withLock { state in
      guard !state.messages.isEmpty, let reader = state.reader else {
        state.isRead = false
        if state.isFinished { state.reader = nil }
        return nil
      }
      defer { state.messages = [] }
      return (state.messages, reader)
    }
  }
}
