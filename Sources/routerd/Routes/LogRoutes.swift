import HTTPTypes
import Hummingbird
import NIOCore
import Router

/// The record: `/v1/log`.
struct LogRoutes: Sendable {
  let reader: AuditReader

  /// `GET /v1/log`
  @Sendable func query(_ request: Request, _ context: PeerContext) async throws -> Response {
    let (page, next) = try await reader.presentations(try auditQuery(request))
    guard request.accepts("application/x-ndjson") else {
      return Response(
        json: ["presentations": .array(page.map(\.json)), "next": next.map { .string(String($0)) } ?? .null])
    }
    let lines = page.reduce(into: ByteBuffer()) { buffer, presentation in
      buffer.writeBytes(presentation.json.bytes)
      buffer.writeBytes("\n".utf8)
    }
    return Response(
      status: .ok, headers: [.contentType: "application/x-ndjson"], body: ResponseBody(byteBuffer: lines))
  }

  private func auditQuery(_ request: Request) throws -> AuditQuery {
    var parameters = QueryParameters(request)
    var query = AuditQuery()
    query.since = try parameters.time("since")
    query.until = try parameters.time("until")
    query.apps = parameters.list("app")
    query.uids = try parameters.list("uid").map { text in
      guard let uid = UInt32(text) else { throw RouterError(.invalid, "cannot read the query: uid must be a number") }
      return uid
    }
    query.surfaces = parameters.list("surface")
    query.kinds = try parameters.choices("kind")
    query.sheets = parameters.list("sheet")
    query.outcomes = try parameters.choices("outcome")
    query.reasons = parameters.list("reason")
    query.search = try parameters.string("search")
    query.limit = try parameters.count("limit", 1...1000) ?? query.limit
    query.cursor = try parameters.count("cursor", 0...Int.max).map(Int64.init)
    try parameters.finish()
    return query
  }

  /// `GET /v1/log/{id}`
  @Sendable func events(_ request: Request, _ context: PeerContext) async throws -> Response {
    let id = try context.presentationID()
    let events = try await reader.events(of: id)
    guard !events.isEmpty else { throw RouterError(.notFound, "cannot find the presentation \(id) in the log") }
    return Response(json: ["events": .array(events.map(\.json))])
  }
}
