/// Sends elements to any number of streams, which end when this object is destroyed.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct Listeners {
    var next = 0
    var all: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())

  package init() {}

  package func send(_ element: Element) {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.yield(element) }
  }

  package func listen(
    first: [Element] = [], buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: buffering)
    for element in first { continuation.yield(element) }
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in _ = self?.listeners.withLock { $0.all.removeValue(forKey: number) } }
    return stream
  }

  deinit {
    for listener in listeners.withLock({ Array($0.all.values) }) { listener.finish() }
  }
}
