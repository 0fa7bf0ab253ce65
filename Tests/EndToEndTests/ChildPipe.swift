import Glibc
import Router

/// A pipe to or from one child process, which no other child inherits.
final class ChildPipe: Sendable {
  let reading: CInt
  let writing: CInt
  private let isWritingOpen = Mutex(true)

  init() throws {
    guard let ends = Descriptors.pipe() else {
      throw RouterError(.unreachable, "cannot open a pipe: \(String(cString: strerror(errno)))")
    }
    (reading, writing) = ends
  }

  deinit {
    closeWriting()
    close(reading)
  }

  /// Writes a text, until the reader is gone.
  func write(_ text: String) {
    var bytes = ArraySlice(text.utf8)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }

  /// Closes this process's copy of the writing end.
  func closeWriting() {
    isWritingOpen.withLock { isOpen in
      if isOpen { close(writing) }
      isOpen = false
    }
  }
}
