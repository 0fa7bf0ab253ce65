import HTTPTypes
import Hummingbird
import NIOCore
import Router
import ServiceLifecycle

/// `GET /v1/log/stream`: events as they come to be on record.
///
/// They are read from the log and written one page after the other, as fast as the client takes them: one that comes back after
/// a month with its last event's number gets the month, and nothing piles up for it here.
struct LogStream: Sendable {
  let reader: AuditReader
  /// A signal for each commit, listened to before the first page is read.
  let commits: AsyncStream<Void>
  /// The filters, and as the cursor the last event that the client has.
  let query: AuditQuery

  func response() -> Response {
    Response(
      status: .ok, headers: [.contentType: ServerSentEvent.contentType, .cacheControl: "no-store"],
      body: ResponseBody { writer in
        let (signals, continuation) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { [commits] in
            for await _ in commits.cancelOnGracefulShutdown() { continuation.yield(false) }
            continuation.finish()
          }
          group.addTask {
            while !Task.isCancelled {
              try await PresentationClock.system.sleep(for: EventStream.keepAliveInterval)
              continuation.yield(true)
            }
          }
          // The head goes out at once: a client that waits for it knows then that it misses nothing from here on.
          try await writer.write(ByteBuffer(bytes: ": \n\n".utf8))
          var query = query
          try await writeEvents(of: &query, to: &writer)
          for await isKeepAlive in signals {
            if try await writeEvents(of: &query, to: &writer) == 0, isKeepAlive {
              try await writer.write(ByteBuffer(bytes: ServerSentEvent.keepAlive))
            }
          }
          group.cancelAll()
        }
        try await writer.finish(nil)
      })
  }

  /// Writes what is on record after the query's cursor, and moves the cursor on.
  @discardableResult
  private func writeEvents(of query: inout AuditQuery, to writer: inout any ResponseBodyWriter) async throws -> Int {
    // What is committed meanwhile is announced by a signal of its own.
    let last = try await reader.lastSeq()
    var page = query
    page.through = last
    var count = 0
    while page.cursor ?? 0 < last {
      let (events, next) = try await reader.events(page)
      if !events.isEmpty {
        count += events.count
        try await writer.write(
          events.reduce(into: ByteBuffer()) { buffer, event in
            buffer.writeBytes(ServerSentEvent(name: event.kind.rawValue, data: event.json, id: String(event.seq)).bytes)
          })
      }
      page.cursor = next ?? last
    }
    query.cursor = max(query.cursor ?? 0, last)
    return count
  }
}
