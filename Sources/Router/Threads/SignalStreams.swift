import Glibc

/// SIGHUP, SIGTERM and SIGINT as streams. Does not use libdispatch: its worker threads would keep waking an idle process, and
/// it stops its caller while it cannot start a thread.
package struct SignalStreams: Sendable {
  /// A self-pipe: the signal handler writes to it (signal-safety(7)), and the streams' thread reads from it.
  private static let pipe: (readEnd: CInt, writeEnd: CInt) = {
    guard let pipe = Descriptors.pipe() else { preconditionFailure("cannot make a pipe: \(String(cString: strerror(errno)))") }
    // The handler must not block; a full pipe already has a signal pending.
    _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
    return pipe
  }()

  /// SIGHUP. Pending signals are coalesced into one.
  package let hangUps: AsyncStream<Void>
  /// SIGTERM or SIGINT.
  package let terminations: AsyncStream<Void>

  /// Handles the signals from now on, for the lifetime of the process.
  ///
  /// - Throws: ``RouterError`` if the thread of the streams cannot start.
  package init() throws(RouterError) {
    let (hangUps, hungUp) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let (terminations, terminated) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.hangUps, self.terminations) = (hangUps, terminations)
    let input = Self.pipe.readEnd
    try Thread.start {
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(input, &bytes, bytes.count)
        guard count > 0 else { return }
        for byte in bytes[..<count] {
          if CInt(byte) == SIGHUP { hungUp.yield() } else { terminated.yield() }
        }
      }
    }
    for number in [SIGHUP, SIGTERM, SIGINT] {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalStreams.pipe.writeEnd, &byte, 1)
        errno = error
      }
    }
  }
}
