import Glibc

/// SIGHUP as a stream. Does not use libdispatch, whose worker threads would keep waking an idle process.
package enum HangUpSignal {
  /// A self-pipe: the signal handler writes to it (signal-safety(7)), and the stream's thread reads from it.
  private static let pipe: (readEnd: CInt, writeEnd: CInt) = {
    guard let pipe = Descriptors.pipe() else { preconditionFailure("cannot make a pipe: \(String(cString: strerror(errno)))") }
    // The handler must not block; a full pipe already has the signal pending.
    _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
    return pipe
  }()

  /// Returns a stream of the signals from now on, for the lifetime of the process. Pending signals are coalesced into
  /// one.
  package static func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let input = pipe.readEnd
    Thread.start {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(input, &bytes, bytes.count) > 0 { continuation.yield() }
    }
    signal(SIGHUP) { _ in
      let error = errno
      _ = write(HangUpSignal.pipe.writeEnd, "H", 1)
      errno = error
    }
    return stream
  }
}
