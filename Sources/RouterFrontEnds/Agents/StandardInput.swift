import Glibc
import Router

/// Standard input, read from its descriptor: hosts pass a socket, which cannot be opened as /dev/stdin.
enum StandardInput {
  static let maximumLine = 16 << 20

  /// Reads a JSON object, or to the end. Some hosts leave the input open after the object.
  ///
  /// - Returns: The first 16 MiB, and whether this is the entire input.
  static func object(maximumDepth: Int) -> (content: [UInt8], isComplete: Bool) {
    var content: [UInt8] = []
    var isComplete = true
    while let chunk = next() {
      let kept = chunk.prefix(maximumLine - content.count)
      content += kept
      if kept.count < chunk.count { isComplete = false }
      // Usually the end of the input follows at once.
      if isComplete, !isReadable(), (try? JSONValue(parsing: content, maximumDepth: maximumDepth)) != nil { break }
    }
    return (content, isComplete)
  }

  /// The lines as they arrive. A line that is too long ends the input.
  ///
  /// - Throws: ``RouterError`` if the reading thread cannot start.
  static func lines() throws -> AsyncStream<[UInt8]> {
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    try Thread.start {
      var line: [UInt8] = []
      while line.count <= maximumLine, let chunk = next() {
        var rest = chunk[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(line + rest[..<end])
          line = []
          rest = rest[(end + 1)...]
        }
        line += rest
      }
      continuation.finish()
    }
    return lines
  }

  /// Reads what is there, after waiting for it; `nil` at the end.
  static func next(_ descriptor: CInt = STDIN_FILENO) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 { return Array(chunk[..<count]) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        _ = isReadable(descriptor, within: -1)
        continue
      }
      return nil
    }
  }

  /// Whether there is input, or its end.
  private static func isReadable(_ descriptor: CInt = STDIN_FILENO, within milliseconds: CInt = 0) -> Bool {
    var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&readable, 1, milliseconds) != 0
  }
}
