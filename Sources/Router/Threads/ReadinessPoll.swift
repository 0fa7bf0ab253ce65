import CLinux
import Glibc

/// Waits until one of many descriptors can be read, by epoll(7).
package struct ReadinessPoll: ~Copyable {
  private let descriptor: CInt
  private var events: [clinux_readiness]

  /// - Throws: ``RouterError`` where the kernel has no more descriptors for this process.
  package init() throws(RouterError) {
    descriptor = clinux_epoll_create(Epoll.closedOnExec)
    guard descriptor >= 0 else { throw Self.error("cannot wait for connections") }
    events = Array(repeating: clinux_readiness(), count: 256)
  }

  deinit {
    close(descriptor)
  }

  /// Waits for another one too, until it is closed.
  ///
  /// - Parameter number: What ``wait(upTo:_:)`` calls it.
  package func add(_ other: CInt, number: Int) throws(RouterError) {
    var event = clinux_readiness()
    event.events = Epoll.readable
    event.number = UInt32(number)
    guard clinux_epoll_ctl(descriptor, Epoll.adding, other, &event) == 0 else {
      throw Self.error("cannot wait for a connection")
    }
  }

  /// Waits, and calls the body with the number of each that can be read or has ended.
  ///
  /// - Parameter time: How long at most, to the millisecond.
  package mutating func wait(upTo time: Duration, _ body: (Int) throws -> Void) rethrows {
    let milliseconds = CInt(clamping: max(0, time.milliseconds))
    let count = clinux_epoll_wait(descriptor, &events, CInt(events.count), milliseconds)
    for index in 0..<max(0, Int(count)) { try body(Int(events[index].number)) }
  }

  private static func error(_ what: String) -> RouterError {
    RouterError(.unreachable, "\(what): \(String(cString: strerror(errno)))")
  }
}
