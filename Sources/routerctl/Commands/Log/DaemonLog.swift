import Router
import RouterClient

/// The log as read through the daemon's socket, with the caller's role.
struct DaemonLog: LogSource {
  let client: RouterClient
  /// The reason why the database cannot be read.
  let cause: RouterError

  var canBeginWithOldest: Bool { false }

  func presentations(_ query: AuditQuery) async throws -> (page: [Presentation], next: Int64?) {
    let reply = try await ask { try await client.log(query.parameters(isPage: true)) }
    return try understand {
      let page = try (reply["presentations"]?.array ?? []).map { json in try Presentation(json: json) }
      return (page, reply["next"]?.string.flatMap { Int64($0) })
    }
  }

  func events(_ query: AuditQuery) async throws -> (page: [AuditEvent], next: Int64?) {
    let reply = try await ask { try await client.logEvents(query.parameters(isPage: true)) }
    return try understand {
      let page = try (reply["events"]?.array ?? []).map { json in try AuditEvent(json: json) }
      return (page, reply["next"]?.string.flatMap { Int64($0) })
    }
  }

  /// The daemon counts days in UTC.
  func statistics(
    _ query: AuditQuery, by dimensions: Set<AuditStatistics.Dimension>, day: @escaping @Sendable (Timestamp) -> String
  ) async throws -> AuditStatistics {
    let reply = try await ask { try await client.logStatistics(query.parameters(isPage: false)) }
    return try understand { try AuditStatistics(json: reply) }
  }

  func events(of id: PresentationID) async throws -> [AuditEvent] {
    do {
      let reply = try await ask { try await client.events(of: id) }
      return try understand { try (reply["events"]?.array ?? []).map { json in try AuditEvent(json: json) } }
    } catch let error as RouterError where error.code == .notFound {
      return []
    }
  }

  func ids(beginningOrEndingWith text: String, limit: Int) async throws -> [PresentationID] {
    do {
      let reply = try await ask { try await client.log(["id": text, "limit": String(limit)]) }
      return try understand { try (reply["presentations"]?.array ?? []).map { json in try Presentation(json: json).id } }
    } catch let error as RouterError where error.code == .notFound {
      return []
    }
  }

  /// Calls the daemon; if that fails too, the error names both causes.
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

extension AuditQuery {
  func parameters(isPage: Bool) -> KeyValuePairs<String, String?> {
    func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: ",") }
    return [
      "since": since?.description, "until": until?.description, "id": list(ids.map(\.description)), "app": list(apps),
      "uid": list(uids.map(String.init)), "surface": list(surfaces), "kind": list(kinds.map(\.rawValue)),
      "sheet": list(sheets), "outcome": list(outcomes.map(\.rawValue)), "reason": list(reasons),
      "answer": list(answers.map(\.rawValue)), "search": search,
      "limit": isPage ? String(limit) : nil, "cursor": isPage ? cursor.map(String.init) : nil,
    ]
  }
}
