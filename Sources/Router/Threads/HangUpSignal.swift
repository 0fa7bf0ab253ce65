import Glibc

/// SIGHUP as a stream, without libdispatch, whose workers would wake an idle process once they were used.
package enum HangUpSignal {
  /// The handler writes to it, since signal-safety(7) allows little more; the stream's thread reads from it.
  private static let pipe: (readEnd: CInt, writeEnd: CInt) = {
    guard let pipe = Descriptors.pipe() else { preconditionFailure("cannot make a pipe: \(String(cString: strerror(errno)))") }
    // A full pipe has enough to tell; the handler must not wait.
    _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
    return pipe
  }()

  /// Each SIGHUP from now on, for as long as the process lives; those that come before the last one was taken count as one.
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
