import NIOCore
import Router

/// `GET /v1/log/stream`: streams events as they are committed, page by page, at the speed of the client.
struct LogStream: Sendable {
  let reader: AuditReader
  /// The commit signals, subscribed before the first page is read.
  let commits: AsyncStream<Void>
  /// The filters; the cursor is the last event seen by the client.
  let query: AuditQuery
  let exchange: Exchange

  func run() async throws {
    exchange.loop.execute { exchange.openStream() }
    var seen = try await writeEvents(after: query.cursor ?? 0)
    for await _ in commits { seen = try await writeEvents(after: seen) }
  }

  private func writeEvents(after seq: Int64) async throws -> Int64 {
    try await reader.passEvents(after: seq, query) { events in
      try await exchange.write(
        events.flatMap { ServerSentEvent.bytes(name: $0.event.kind.rawValue, data: $0.jsonText, id: String($0.event.seq)) })
    }
  }
}
