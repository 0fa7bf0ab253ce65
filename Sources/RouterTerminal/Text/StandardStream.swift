import Glibc
import RouterSystem

package struct StandardStream: Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  package static let output = StandardStream(descriptor: STDOUT_FILENO)
  package static let error = StandardStream(descriptor: STDERR_FILENO)

  private static let firstFailure = Mutex<CInt?>(nil)
  /// The error number of the first failed write to standard output, such as `ENOSPC`; `nil` if there is none.
  package static var outputFailure: CInt? { firstFailure.withLock { $0 } }

  package func text(_ text: String) { bytes(Array(text.utf8)) }

  package func bytes(_ bytes: [UInt8]) { bytes.withUnsafeBytes(self.bytes) }

  /// Writes bytes. A closed reader is not an error; any other failure on standard output is in ``outputFailure``.
  package func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let failure = Descriptors.writeAll(descriptor, bytes), failure != EPIPE, descriptor == STDOUT_FILENO else { return }
    Self.firstFailure.withLock { $0 = $0 ?? failure }
  }

  package func line(_ line: String) { text(line + "\n") }

  /// Writes a message to a person, wrapped at spaces on a terminal.
  package func message(_ text: String) {
    let style = style
    for line in style.isTerminal ? text.wrapped(to: style.width) : [text] { self.line(line) }
  }

  package var style: OutputStyle {
    guard isatty(descriptor) == 1 else { return .plain }
    let hasColor = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return OutputStyle(isTerminal: true, hasColor: hasColor && !isDumb, width: max(size.columns, 20))
  }

  /// The width from `COLUMNS`, otherwise the terminal's.
  package var columns: Int { getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? size.columns }

  /// The terminal's size; 80 × 24 if unknown.
  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}

package struct ScreenSize: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
