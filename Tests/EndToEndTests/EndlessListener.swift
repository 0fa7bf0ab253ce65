import Foundation

/// A listener that answers each call with endless `100 Continue` responses.
final class EndlessListener: Sendable {
  private let descriptor: CInt
  private let calls: AsyncStream<Void>

  init(_ path: String) throws {
    let descriptor = try UnixSocket.listen(at: path)
    self.descriptor = descriptor
    let (calls, continuation) = AsyncStream<Void>.makeStream()
    self.calls = calls
    // Ends when the listener is deallocated.
    Thread.detachNewThread {
      let reply = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        continuation.yield()
        while send(connection, reply, reply.count, CInt(MSG_NOSIGNAL)) > 0 {}
        close(connection)
      }
      close(descriptor)
      continuation.finish()
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Waits for a call.
  func called() async throws {
    for await _ in calls { return }
    throw CancellationError()
  }
}
