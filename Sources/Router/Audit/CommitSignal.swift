/// Tells any number of listeners that something was committed.
final class CommitSignal: Sendable {
  private struct Listeners {
    var next = 0
    var all: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())

  func send() {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield() }
  }

  func listen() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { listeners in
        listeners.all[number] = nil
      }
    }
    return stream
  }
}
