import Glibc

/// A pipe to oneself, which wakes a thread that waits in poll(2).
final class WakePipe: Sendable {
  private let pipe: Pipe

  init() throws {
    pipe = try Pipe()
    // A wake-up too many is lost, not waited for.
    _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
  }

  var readEnd: Int32 { pipe.readEnd }

  func wake() {
    var byte: UInt8 = 1
    _ = write(pipe.writeEnd, &byte, 1)
  }

  deinit {
    close(pipe.readEnd)
    close(pipe.writeEnd)
  }
}
