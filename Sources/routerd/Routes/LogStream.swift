import NIOCore
import Router

/// `GET /v1/log/stream`: streams events as they are committed, page by page, at the speed of the client.
struct LogStream: Sendable {
  let reader: AuditReader
  /// The commit signals, subscribed before the first page is read.
  let commits: AsyncStream<Void>
  /// The filters; the cursor is the last event that the client has seen.
  let query: AuditQuery
  let exchange: Exchange

  func run() async throws {
    exchange.loop.execute { exchange.openStream() }
    var query = query
    try await writeEvents(of: &query)
    for await _ in commits { try await writeEvents(of: &query) }
  }

  /// Writes the events after the query's cursor, and advances the cursor.
  private func writeEvents(of query: inout AuditQuery) async throws {
    // Later commits send another signal.
    let last = try await reader.lastSeq()
    var page = query
    page.through = last
    while page.cursor ?? 0 < last {
      let (events, next) = try await reader.chainedEvents(page)
      if !events.isEmpty {
        try await exchange.write(
          events.flatMap { ServerSentEvent.bytes(name: $0.event.kind.rawValue, data: $0.jsonText, id: String($0.event.seq)) })
      }
      page.cursor = next ?? last
    }
    query.cursor = max(query.cursor ?? 0, last)
  }
}
