import Glibc

/// SIGHUP, SIGTERM and SIGINT as streams.
package struct SignalStreams: Sendable {
  /// SIGHUP. Pending signals are coalesced into one.
  package let hangUps: AsyncStream<Void>
  /// SIGTERM or SIGINT.
  package let terminations: AsyncStream<Void>

  /// Handles the signals from now on, for the lifetime of the process.
  ///
  /// - Throws: ``RouterError`` if the thread of the streams cannot start.
  package init() throws {
    let (hangUps, hungUp) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let (terminations, terminated) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.hangUps, self.terminations) = (hangUps, terminations)
    _ = try Signals.listen(to: [SIGHUP, SIGTERM, SIGINT]) { number in
      if number == SIGHUP { hungUp.yield() } else { terminated.yield() }
    }
  }
}
