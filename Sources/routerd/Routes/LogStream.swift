import NIOCore
import Router

/// `GET /v1/log/stream`: events as they are committed, read page by page as fast as the client takes them.
struct LogStream: Sendable {
  let reader: AuditReader
  /// A signal for each commit, listened to before the first page is read.
  let commits: AsyncStream<Void>
  /// The filters, and as the cursor the last event that the client has.
  let query: AuditQuery
  let exchange: Exchange

  func run() async throws {
    exchange.loop.execute { exchange.openStream() }
    var query = query
    try await writeEvents(of: &query)
    for await _ in commits { try await writeEvents(of: &query) }
  }

  /// Writes what is on record after the query's cursor, and moves the cursor on.
  private func writeEvents(of query: inout AuditQuery) async throws {
    // What is committed meanwhile is announced by a signal of its own.
    let last = try await reader.lastSeq()
    var page = query
    page.through = last
    while page.cursor ?? 0 < last {
      let (events, next) = try await reader.events(page)
      if !events.isEmpty {
        try await exchange.write(
          events.flatMap { ServerSentEvent(name: $0.kind.rawValue, data: $0.json, id: String($0.seq)).bytes })
      }
      page.cursor = next ?? last
    }
    query.cursor = max(query.cursor ?? 0, last)
  }
}
