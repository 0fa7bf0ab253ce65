import Router
import RouterClient

/// Where the log is read: the database, or the daemon where the database is not the caller's to read.
protocol LogSource: Sendable {
  /// Whether a query can begin with the oldest.
  var canBeginWithOldest: Bool { get }
  func presentations(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?)
  /// A presentation's events, the oldest first; none if it is not on record.
  func events(of id: PresentationID) async throws -> [AuditEvent]
  /// Up to `limit` ids that begin or end with a text.
  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID]
}

extension AuditReader: LogSource {
  var canBeginWithOldest: Bool { true }
}

extension LogSource {
  /// Gives the presentations that match in the order of asking, in pages.
  ///
  /// - Parameter newest: How many of the newest; all where it is left out.
  func forEachPage(_ query: AuditQuery, newest: Int?, body: ([Presentation]) throws -> Void) async throws {
    try await forEachPage(query, newest: newest, page: { source in { try await source.presentations($0) } }, body: body)
  }

  /// Gives what a query finds with the oldest first, in pages.
  ///
  /// - Parameters:
  ///   - newest: How many of the newest; all where it is left out.
  ///   - page: How a page is read.
  func forEachPage<Element>(
    _ query: AuditQuery, newest: Int?,
    page: (Self) -> (AuditQuery) async throws -> (page: [Element], next: Int64?), body: ([Element]) throws -> Void
  ) async throws {
    var query = query
    query.order = newest == nil && canBeginWithOldest ? .oldestFirst : .newestFirst
    var collected: [Element] = []
    repeat {
      query.limit = min(1000, newest.map { $0 - collected.count } ?? 1000)
      guard query.limit > 0 else { break }
      let found = try await page(self)(query)
      query.cursor = found.next
      if query.order == .oldestFirst { try body(found.page) } else { collected += found.page }
    } while query.cursor != nil
    if query.order == .newestFirst { try body(collected.reversed()) }
  }
}

/// The daemon's log, over its socket and with the caller's role.
struct DaemonLog: LogSource {
  let client: RouterClient
  /// Why the database is not read.
  let cause: RouterError

  var canBeginWithOldest: Bool { false }

  func presentations(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: ",") }
    let reply = try await ask {
      try await client.log([
        "since": query.since?.description, "until": query.until?.description, "app": list(query.apps),
        "uid": list(query.uids.map(String.init)), "surface": list(query.surfaces), "kind": list(query.kinds.map(\.rawValue)),
        "sheet": list(query.sheets), "outcome": list(query.outcomes.map(\.rawValue)), "reason": list(query.reasons),
        "search": query.search, "limit": String(query.limit), "cursor": query.cursor.map(String.init),
      ])
    }
    return try understand {
      let page = try (reply["presentations"]?.array ?? []).map { json in try Presentation(json: json) }
      return (page, reply["next"]?.string.flatMap { Int64($0) })
    }
  }

  func events(of id: PresentationID) async throws -> [AuditEvent] {
    do {
      let reply = try await ask { try await client.events(of: id) }
      return try understand { try (reply["events"]?.array ?? []).map { json in try AuditEvent(json: json) } }
    } catch let error as RouterError where error.code == .notFound {
      return []
    }
  }

  /// The daemon finds presentations by their whole id alone.
  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID] {
    throw RouterError(
      .forbidden, "cannot look for a part of an id: the database is not readable, and the daemon wants the whole id")
  }

  /// Asks the daemon; where it cannot be reached either, both ways are named.
  private func ask(_ call: () async throws -> JSONValue) async throws -> JSONValue {
    do {
      return try await call()
    } catch var error as RouterError where error.code == .unreachable {
      error.message = "\(cause.message); and \(error.message)"
      error.cause = nil
      throw error
    }
  }

  private func understand<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as JSONError {
      throw RouterError(.unreachable, "cannot understand what routerd says of the log", cause: error)
    }
  }
}
