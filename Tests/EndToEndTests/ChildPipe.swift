import Glibc
import Router

/// A pipe to or from a process of a test, which only that process is given.
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

  /// Writes all of a text, or as much as there is a reader for.
  func write(_ text: String) {
    var bytes = ArraySlice(text.utf8)
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }

  /// Leaves the writing to whoever has the other copy of that end.
  func closeWriting() {
    isWritingOpen.withLock { isOpen in
      if isOpen { close(writing) }
      isOpen = false
    }
  }
}
