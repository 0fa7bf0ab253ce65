import HTTPTypes
import Hummingbird
import NIOCore
import Router

/// A response of server-sent events.
enum EventStream {
  /// How often a comment keeps a quiet stream alive.
  static let keepAliveInterval = Duration.seconds(15)

  /// How many events a client may leave unread before its connection ends, however small they are.
  static let maximumUnread = 256

  /// Why a stream ends whose client does not read it.
  static let tooMuchUnread = RouterError(.full, "cannot go on: the client left too much unread")

  /// Writes events as they come, and comments between them, until the events end or the connection does. A client that
  /// leaves too much unread loses its connection.
  ///
  /// - Parameters:
  ///   - events: They are read by one task, which is cancelled when the connection ends.
  ///   - atEnd: Called when all were written.
  static func response(
    _ events: some AsyncSequence<ServerSentEvent, any Error> & Sendable, atEnd: @escaping @Sendable () -> Void = {}
  ) -> Response {
    Response(
      status: .ok,
      headers: [.contentType: ServerSentEvent.contentType, .cacheControl: "no-store"],
      body: ResponseBody { writer in
        let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(maximumUnread))
        let unread = UnreadBytes()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            defer { continuation.finish() }
            do {
              for try await event in events {
                let bytes = event.bytes
                guard unread.add(bytes.count), case .enqueued = continuation.yield(bytes) else { throw tooMuchUnread }
              }
            } catch {
              // Who writes may be waiting for a client that does not read: the end of the connection ends that too.
              Connection.current?.channel.close(promise: nil)
              throw error
            }
          }
          group.addTask {
            while !Task.isCancelled {
              try await PresentationClock.system.sleep(for: keepAliveInterval)
              if unread.add(ServerSentEvent.keepAlive.count) { continuation.yield(ServerSentEvent.keepAlive) }
            }
          }
          // The head goes out at once: a client that waits for it knows then that it is attached.
          try await writer.write(ByteBuffer(bytes: ": \n\n".utf8))
          for await chunk in chunks {
            unread.remove(chunk.count)
            try await writer.write(ByteBuffer(bytes: chunk))
          }
          try await group.next()
          group.cancelAll()
        }
        try await writer.finish(nil)
        atEnd()
      })
  }
}

/// How much waits behind what is being written to a stream's client.
private final class UnreadBytes: Sendable {
  private let count = Mutex(0)
  private let maximum = Connection.current?.configuration.current.connections.unreadBytes ?? .max

  /// Counts what is to be written; false if too much waits already. One event alone may be as large as it is.
  func add(_ bytes: Int) -> Bool {
    count.withLock { count in
      guard count <= maximum else { return false }
      count += bytes
      return true
    }
  }

  func remove(_ bytes: Int) {
    count.withLock { $0 -= bytes }
  }
}
