import DequeModule
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
  ///   - events: As they go over the wire. They are read by one task, which is cancelled when the connection ends.
  ///   - atEnd: Called when all were written.
  static func response(
    _ events: some AsyncSequence<[UInt8], any Error> & Sendable, atEnd: @escaping @Sendable () -> Void = {}
  ) -> Response {
    Response(
      status: .ok,
      headers: [.contentType: ServerSentEvent.contentType, .cacheControl: "no-store"],
      body: ResponseBody { writer in
        let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let unread = UnreadEvents()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            defer { continuation.finish() }
            do {
              for try await event in events {
                guard unread.add(event) else { throw tooMuchUnread }
                continuation.yield()
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
              if unread.add(ServerSentEvent.keepAlive) { continuation.yield() }
            }
          }
          // The head goes out at once: a client that waits for it knows then that it is attached.
          try await writer.write(ByteBuffer(bytes: ": \n\n".utf8))
          // What has come together goes out together.
          for await _ in signals {
            while let events = unread.take() { try await writer.write(events) }
          }
          try await group.next()
          group.cancelAll()
        }
        try await writer.finish(nil)
        atEnd()
      })
  }
}

/// What waits behind what is being written to a stream's client.
private final class UnreadEvents: Sendable {
  private struct State {
    var events: Deque<[UInt8]> = []
    var bytes = 0
  }

  private let state = Mutex(State())
  private let maximum = Connection.current?.configuration.current.connections.unreadBytes ?? .max
  /// How much is written together: what comes in a moment, and little beside what may wait.
  private static let bytesAtOnce = 1 << 16

  /// Takes an event that is to be written; false if too much waits already. One event alone may be as large as it is.
  func add(_ event: [UInt8]) -> Bool {
    state.withLock { state in
      guard state.events.count < EventStream.maximumUnread, state.bytes <= maximum else { return false }
      state.events.append(event)
      state.bytes += event.count
      return true
    }
  }

  /// What to write next; `nil` if nothing waits.
  func take() -> ByteBuffer? {
    state.withLock { state in
      guard let first = state.events.popFirst() else { return nil }
      var buffer = ByteBuffer(bytes: first)
      while buffer.readableBytes < Self.bytesAtOnce, let next = state.events.popFirst() { buffer.writeBytes(next) }
      state.bytes -= buffer.readableBytes
      return buffer
    }
  }
}
