import NIOCore
import NIOHTTP1
import Router

extension ConnectionHandler {
  /// Starts the timeout for a request, or for the rest of one.
  func expectRequest() {
    guard let loop = context?.eventLoop else { return }
    let deadline = loop.now + TimeAmount(limits.requestTime)
    self.deadline = deadline
    if timer == nil { look(at: deadline, loop) }
  }

  private func look(at time: NIODeadline, _ loop: any EventLoop) {
    timer = loop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in
      guard let self else { return }
      timer = nil
      guard let deadline else { return }
      if deadline > loop.now { look(at: deadline, loop) } else { requestIsLate() }
    }
  }

  private func requestIsLate() {
    // Without a request, there is nothing to respond to.
    guard reading != nil else { return close() }
    let seconds = JSONValue.seconds(limits.requestTime)
    refuse(.requestTimeout, "cannot take the request: its body did not arrive within \(seconds) s")
  }

  /// Schedules a check that the client reads written data, unless one is scheduled.
  func checkStallLater() {
    guard stallCheck == nil else { return }
    takenBytes = countUnsentBytes() > 0 ? acceptedBytes : nil
    stallCheck = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.stallTime)) { [weak self] in
      self?.checkStall()
    }
  }

  /// Disconnects a client that has read nothing since the last check.
  private func checkStall() {
    stallCheck = nil
    guard countUnsentBytes() > 0 else { return }
    if takenBytes == acceptedBytes { context?.close(promise: nil) } else { checkStallLater() }
  }

  /// Returns the number of written bytes that the kernel has not accepted yet, which takes as long as a write.
  func countUnsentBytes() -> Int {
    let count = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    acceptedBytes = writtenBytes - count
    return count
  }

  /// Whether more than `count` bytes are unsent. Counts only if this many bytes were written since the last count.
  func isUnsent(moreThan count: Int) -> Bool {
    writtenBytes - acceptedBytes > count && countUnsentBytes() > count
  }
}
