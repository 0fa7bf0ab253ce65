import HTTPTypes
import Hummingbird
import NIOCore
import Router

/// A response of server-sent events.
enum EventStream {
  /// How often a comment keeps a quiet stream alive.
  static let keepAliveInterval = Duration.seconds(15)

  /// How many events a client may leave unread before its stream ends.
  static let maximumUnread = 256

  /// Why a stream ends whose client does not read it.
  static let tooMuchUnread = RouterError(.full, "cannot go on: the client left \(maximumUnread) events unread")

  /// Writes events as they come, and comments between them, until the events end or the connection does.
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
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            defer { continuation.finish() }
            for try await event in events {
              if case .dropped = continuation.yield(event.bytes) { throw tooMuchUnread }
            }
          }
          group.addTask {
            while !Task.isCancelled {
              try await PresentationClock.system.sleep(for: keepAliveInterval)
              continuation.yield(ServerSentEvent.keepAlive)
            }
          }
          // The head goes out at once: a client that waits for it knows then that it is attached.
          try await writer.write(ByteBuffer(bytes: ": \n\n".utf8))
          for await chunk in chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
          try await group.next()
          group.cancelAll()
        }
        try await writer.finish(nil)
        atEnd()
      })
  }
}
