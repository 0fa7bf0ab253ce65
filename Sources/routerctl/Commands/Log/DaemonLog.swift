import Router
import RouterClient

/// The log as read through the daemon's socket, with the caller's role.
struct DaemonLog: LogSource {
  let client: RouterClient
  /// The shared surface of the log; `nil` for the machine's own.
  let surface: String?
  /// The reason why the database cannot be read.
  let cause: RouterError

  var canBeginWithOldest: Bool { false }

  func presentationPage(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    try await ask { try await client.logPresentationPage(placed(query)) }
  }

  func eventPage(_ query: AuditQuery) async throws -> (page: [AuditEvent], next: Int64?) {
    try await ask { try await client.logEventPage(placed(query)) }
  }

  func lastSeq() async throws -> Int64 {
    var newest = AuditQuery()
    newest.limit = 1
    return try await eventPage(newest).page.first?.seq ?? 0
  }

  func relation(of head: AuditHead) async throws -> AuditHead.Relation {
    guard head.seq > 0 else { return .same }
    let newest = try await client.chainedEvent(upTo: nil, surface: surface)?.head ?? AuditHead()
    if newest.seq <= head.seq { return newest.seq < head.seq ? .cutOff : newest == head ? .same : .different }
    guard let found = try await client.chainedEvent(upTo: head.seq, surface: surface)?.head else { return .pruned }
    return found.seq < head.seq ? .cutOff : found == head ? .same : .different
  }

  private struct Passed: Error {}

  func follow(
    after seq: Int64, _ query: AuditQuery, body: @Sendable @escaping ([ChainedEvent]) async throws -> Void
  ) async throws -> Int64? {
    let last = query.through ?? .max
    guard last > seq else { return seq }
    do {
      try await client.followChain(after: seq, placed(query)) { page in
        try await body(page.filter { $0.event.seq <= last })
        if let event = page.last?.event, event.seq >= last { throw Passed() }
      }
    } catch is Passed {
      return last
    } catch let error as RouterError where error.code == .unreachable || error.code == .shuttingDown {
      // The follower continues at the same position.
    }
    return nil
  }

  /// The daemon counts days in UTC.
  func statistics(
    _ query: AuditQuery, by dimensions: Set<AuditStatistics.Dimension>, day: @escaping @Sendable (Timestamp) -> String
  ) async throws -> AuditStatistics {
    try await ask { try await client.logStatistics(placed(query)) }
  }

  func events(of id: PresentationID) async throws -> [AuditEvent] {
    do {
      return try await ask { try await client.logEvents(of: id) }
    } catch let error as RouterError where error.code == .notFound {
      return []
    }
  }

  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID] {
    do {
      let reply = try await ask { try await client.log(["id": text, "limit": String(limit), "surface": surface]) }
      return (reply["presentations"]?.array ?? []).compactMap { $0["id"]?.string.flatMap { PresentationID($0) } }
    } catch let error as RouterError where error.code == .notFound {
      return []
    }
  }

  /// Adds the filter by which a daemon finds the log of a shared surface.
  private func placed(_ query: AuditQuery) -> AuditQuery {
    var query = query
    if let surface { query.surfaces = [surface] }
    return query
  }

  /// Calls the daemon; on failure, the error names both causes.
  private func ask<Reply>(_ call: () async throws -> Reply) async throws -> Reply {
    do {
      return try await call()
    } catch var error as RouterError where error.code == .unreachable {
      error.message = "\(cause.message), and \(error.message)"
      error.cause = nil
      throw error
    }
  }
}

extension DaemonLog: FollowedLog {
  var name: String { "routerd at \(client.socketPath)" }
  var interval: Duration { .milliseconds(500) }

  func open() -> (source: any LogSource, isNew: Bool)? { (self, false) }
}
