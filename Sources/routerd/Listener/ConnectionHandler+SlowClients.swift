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

  func checkStallLater() {
    stallCheck = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.stallTime)) { [weak self] in
      self?.checkStall()
    }
  }

  /// Disconnects a client that has read nothing since the last check.
  private func checkStall() {
    stallCheck = nil
    let unsent = unsentBytes
    guard unsent > 0 else { return }
    let before = takenBytes
    takenBytes = writtenBytes - unsent
    if takenBytes > before { checkStallLater() } else { context?.close(promise: nil) }
  }

  /// The number of written bytes that the kernel has not accepted yet.
  var unsentBytes: Int {
    (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
