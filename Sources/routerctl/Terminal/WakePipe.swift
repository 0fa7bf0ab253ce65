import Glibc

/// A pipe that wakes a thread of this process waiting in poll(2).
final class WakePipe: Sendable {
  private let pipe: Pipe

  init() throws {
    pipe = try Pipe()
    // A write to a full pipe is dropped instead of blocking: a wake-up is already pending.
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
