import Glibc
import Router

/// A pipe (pipe(7)). Child processes do not inherit its ends. The user of an end closes it.
package struct Pipe: Sendable {
  package let readEnd: Int32
  package let writeEnd: Int32

  package init() throws {
    guard let ends = Descriptors.pipe() else {
      throw CommandFailure(.defect, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    (readEnd, writeEnd) = ends
  }

  /// Ignores SIGPIPE: a child may exit without reading its input, which must not end this program (signal(7)).
  private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

  package func writeAll(_ bytes: [UInt8]) {
    _ = Self.ignoresBrokenPipes
    StandardStream(descriptor: writeEnd).bytes(bytes)
    close(writeEnd)
  }

  /// Reads to the end and closes the read end. Bytes beyond `limit` + 1 are discarded, so that the child does not block.
  package func readAll(keeping limit: Int) -> [UInt8] {
    defer { close(readEnd) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(readEnd, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return content }
      content += chunk[..<min(count, limit + 1 - min(content.count, limit + 1))]
    }
  }
}
