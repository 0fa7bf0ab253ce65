import NIOCore
import NIOPosix
import Router

/// The thread of the event loop. NIO's own threads trap if they cannot start; this one throws an error.
enum LoopThread {
  /// Starts an event loop, for the lifetime of the process.
  ///
  /// - Throws: ``RouterError`` if the thread cannot start.
  static func start() async throws -> any EventLoop {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<any EventLoop, any Error>) in
      do {
        try Thread.start {
          MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { continuation.resume(returning: $0) }
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
