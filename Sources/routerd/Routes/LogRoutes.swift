import NIOCore
import NIOHTTP1
import Router

/// The routes of the log: `/v1/log`.
struct LogRoutes: Sendable {
  let coordinators: Coordinators

  /// Returns the keeper of a query's log: each shared surface has its own.
  private func keeper(_ call: Call) async throws -> Coordinators.Keeper {
    var parameters = QueryParameters(call.request)
    let surfaces = parameters.list("surface")
    return surfaces.count == 1 ? try await coordinators.joined(surfaces[0], for: .user(call.peer.uid)) : coordinators.local
  }

  /// `GET /v1/log`
  @Sendable func query(_ call: Call) async throws -> Response? {
    let reader = try await keeper(call).reader
    let (page, next) = try await reader.presentationPage(try await pageQuery(call.request, reader))
    return Self.response(page, next, to: call.request)
  }

  /// `GET /v1/log/events`
  @Sendable func queryEvents(_ call: Call) async throws -> Response? {
    let reader = try await keeper(call).reader
    let (page, next) = try await reader.chainedEvents(try await pageQuery(call.request, reader))
    return Self.response(page, next, to: call.request)
  }

  /// `GET /v1/log/{id}`
  @Sendable func events(_ call: Call) async throws -> Response? {
    let id = try call.presentationID()
    var parameters = QueryParameters(call.request)
    var query = AuditQuery()
    try Self.readPage(&parameters, into: &query)
    try parameters.finish()
    (query.ids, query.order) = ([id], .oldestFirst)
    let (page, next) = try await coordinators.keeper(of: id).reader.eventPage(query)
    guard !page.isEmpty || query.cursor != nil else {
      throw RouterError(.notFound, "cannot find the prompt \(id) in the log")
    }
    return Self.response(page, next, to: call.request)
  }

  /// `GET /v1/log/stats`
  @Sendable func statistics(_ call: Call) async throws -> Response? {
    var parameters = QueryParameters(call.request)
    let reader = try await keeper(call).reader
    let query = try await filters(&parameters, reader)
    let dimensions: [AuditStatistics.Dimension] = try parameters.choices("by")
    try parameters.finish()
    let all = Set(AuditStatistics.Dimension.allCases)
    return Response(try await reader.statistics(query, by: dimensions.isEmpty ? all : Set(dimensions)))
  }

  /// `GET /v1/log/stream`
  @Sendable func stream(_ call: Call) async throws -> Response? {
    var parameters = QueryParameters(call.request)
    let keeper = try await keeper(call)
    var query = try await filters(&parameters, keeper.reader)
    try parameters.finish()
    query.order = .oldestFirst
    // Subscribes first, so that no later commit is missed.
    let commits = keeper.log.commits()
    let last = try await keeper.reader.lastSeq()
    query.cursor = last
    if let text = call.request.header("last-event-id") {
      guard let seen = Int64(text), seen >= 0 else {
        throw RouterError(.invalid, "cannot resume the stream: Last-Event-ID must be the number of an event")
      }
      guard seen <= last else {
        throw RouterError(.invalid, "cannot resume the stream: the log ends with event \(last), before event \(seen)")
      }
      query.cursor = seen
    }
    try await LogStream(reader: keeper.reader, commits: commits, query: query, exchange: call.exchange).run()
    return nil
  }

  /// `POST /v1/log/prune`
  @Sendable func prune(_ call: Call) async throws -> Response? {
    let json = try call.request.json()
    let body: PruneBody
    do {
      body = try PruneBody(json: json)
    } catch {
      throw RouterError(error)
    }
    var keeper = coordinators.local
    if let surface = body.surface { keeper = try await coordinators.joined(surface, for: .user(call.peer.uid)) }
    let log = keeper.log
    let now = keeper.now
    let pruning = try await log.prune(before: body.before, by: Presentation.Responder(process: call.peer), at: now)
    try await log.removePruned()
    return Response(pruning)
  }

  /// Encodes a page as one object, or as one element per line.
  private static func response(_ page: [some PageElement], _ next: Int64?, to request: Request) -> Response {
    guard request.accepts("application/x-ndjson") else {
      return Response(Page(page, next: next.map { String($0) }))
    }
    let lines = page.reduce(into: ByteBuffer()) { buffer, element in
      buffer.writeBytes(element.jsonText.bytes)
      buffer.writeBytes("\n".utf8)
    }
    var headers: HTTPHeaders = ["Content-Type": "application/x-ndjson"]
    if let next { headers.add(name: "Link", value: "<\(target(of: request, from: next))>; rel=\"next\"") }
    return Response(.ok, headers, body: lines)
  }

  /// Returns the link target of the next page: the same request with another cursor (RFC 8288).
  private static func target(of request: Request, from cursor: Int64) -> String {
    let others = (request.query ?? "").split(at: "&").filter { !$0.begins(with: "cursor=") }
    return request.path + "?" + (others + ["cursor=\(cursor)"]).joined(separator: "&").replacing(each: ">", with: "%3E")
  }

  private func pageQuery(_ request: Request, _ reader: AuditReader) async throws -> AuditQuery {
    var parameters = QueryParameters(request)
    var query = try await filters(&parameters, reader)
    try Self.readPage(&parameters, into: &query)
    try parameters.finish()
    return query
  }

  /// Returns a complete id, or the ids that begin or end with a part.
  private func ids(_ text: String, _ reader: AuditReader) async throws -> [PresentationID] {
    if let id = PresentationID(text) { return [id] }
    guard (4...36).contains(text.utf8.count), text.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit }) else {
      throw RouterError(.invalid, "cannot read the query: id must be an id, or at least 4 characters of its beginning or end")
    }
    let ids = try await reader.ids(beginningOrEndingWith: text)
    guard !ids.isEmpty else { throw RouterError(.notFound, "cannot find the prompt \(text) in the log") }
    return ids
  }

  private static func readPage(_ parameters: inout QueryParameters, into query: inout AuditQuery) throws {
    query.limit = try parameters.count("limit", 1...1000) ?? query.limit
    query.cursor = try parameters.count("cursor", 0...Int.max).map(Int64.init)
  }

  private func filters(_ parameters: inout QueryParameters, _ reader: AuditReader) async throws -> AuditQuery {
    var query = AuditQuery()
    query.since = try parameters.time("since")
    query.until = try parameters.time("until")
    for text in parameters.list("id") { query.ids += try await ids(text, reader) }
    query.apps = parameters.list("app")
    query.uids = try parameters.list("uid").map { text in
      guard let uid = UInt32(text) else { throw RouterError(.invalid, "cannot read the query: uid must be a number") }
      return uid
    }
    query.surfaces = parameters.list("surface")
    query.kinds = try parameters.choices("kind")
    query.sheets = parameters.list("sheet")
    query.outcomes = try parameters.choices("outcome")
    query.reasons = try parameters.words("reason", among: AuditQuery.knownReasons)
    query.answers = try parameters.choices("answer")
    query.deciders = try parameters.choices("decidedBy")
    query.isUnreported = try parameters.bool("unreported") ?? false
    query.search = try parameters.string("search")
    try query.checkSearch()
    return query
  }
}
