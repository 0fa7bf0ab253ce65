import Glibc
import RouterCore

/// A pipe that wakes a thread of this process waiting in poll(2) or read(2).
package final class WakePipe: Sendable {
  package let readEnd: Int32
  private let writeEnd: Int32

  package init() throws {
    guard let ends = Descriptors.pipe() else {
      throw RouterError(.unreachable, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    (readEnd, writeEnd) = ends
    // A write to a full pipe is dropped instead of blocking: a wake-up is already pending.
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
  }

  package func wake(_ byte: UInt8 = 1) {
    var byte = byte
    _ = write(writeEnd, &byte, 1)
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }
}
