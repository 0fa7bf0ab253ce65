import Dispatch
import Glibc
import RouterSystem

/// Reads lines from a terminal or pipe, with cancellable waits.
package final class LineInput: Sendable {
  /// Thrown at the end of the input.
  package struct End: Error {}

  package static let maximumBytes = 1 << 20

  package let descriptor: Int32
  package let isTerminal: Bool
  private let queue = DispatchQueue(label: "router.input")
  private let pending: Mutex<[UInt8]> = Mutex([])

  package init(descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Reads the next line. Throws ``End`` at the end of the input, `CancellationError` if the task is canceled.
  package func line() async throws -> String {
    let waking = try WakePipe()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try self.blockingLine(wokenBy: waking) }) }
      }
    } onCancel: {
      waking.wake()
    }
  }

  /// Reads the next line without echo. Always restores the terminal.
  package func hiddenLine() async throws -> String {
    let echo = HiddenEcho(descriptor: descriptor)
    defer { echo.restore() }
    return try await line()
  }

  /// Whether a pipe or file has no more input. Does not wait.
  package var isAtEnd: Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard !isTerminal, pending.withLock(\.isEmpty), poll(&input, 1, 0) > 0 else { return false }
    do { try readSome() } catch { return true }
    return false
  }

  /// Discards unread input typed at a terminal, so that it does not answer the next prompt. Input from a pipe is kept.
  package func discard() {
    guard isTerminal else { return }
    tcflush(descriptor, TCIFLUSH)
    pending.withLock { $0 = [] }
  }

  private func blockingLine(wokenBy waking: WakePipe) throws -> String {
    while true {
      if let line = takeLine() { return line }
      var waits = [
        pollfd(fd: waking.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // Input cannot be read in the background; checks again when the program may be in the foreground.
      let isAway = isTerminal && !TerminalModes.isInForeground
      if isAway { waits[1].fd = -1 }
      guard poll(&waits, 2, isAway ? 500 : -1) >= 0 else {
        if errno == EINTR { continue }
        throw End()
      }
      guard waits[0].revents == 0 else { throw CancellationError() }
      guard waits[1].revents != 0 else { continue }
      try readSome()
    }
  }

  private func takeLine() -> String? {
    pending.withLock { pending in
      guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { pending.removeFirst(end + 1) }
      let line = pending[..<end]
      return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  private func readSome() throws {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    try pending.withLock { pending in
      guard count > 0, pending.count + count <= Self.maximumBytes else {
        // The last line of a file may lack a line feed.
        guard count == 0, !pending.isEmpty else { throw End() }
        pending.append(UInt8(ascii: "\n"))
        return
      }
      pending += chunk[..<count]
    }
  }
}
