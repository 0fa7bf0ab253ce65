import NIOCore
import Router

/// The routes of remembered answers: `/v1/grants`.
struct GrantRoutes: Sendable {
  let coordinators: Coordinators

  /// `GET /v1/grants`
  @Sendable func list(_ call: Call) async throws -> Response? {
    var parameters = QueryParameters(call.request)
    let app = try parameters.string("app")
    let hasEnded = try parameters.bool("ended") ?? false
    try parameters.finish()
    var found: [GrantRecord] = []
    for place in coordinators.all { found += try await records(in: place, call, includesEnded: hasEnded) }
    found.removeAll { app != nil && $0.grant.app != app || !hasEnded && $0.end != nil }
    return Response { $0.add("grants", found) }
  }

  /// `GET /v1/grants/{id}`
  @Sendable func get(_ call: Call) async throws -> Response? {
    let record = try await find(call).record
    return Response { record.addMembers(to: &$0) }
  }

  /// `DELETE /v1/grants/{id}`
  @Sendable func revoke(_ call: Call) async throws -> Response? {
    let (record, place) = try await find(call)
    // Otherwise it is one that only the role audit lets the caller see.
    guard call.isAdmin || call.concerns(record.grant) else {
      throw RouterError(.forbidden, "cannot revoke \(record.grant.id): it is another user's")
    }
    // A session whose process is gone is in force for connections that it left.
    if let end = record.end, await !place.coordinator.grants.contains(where: { $0.id == record.grant.id }) {
      throw RouterError(.resolved, "cannot revoke \(record.grant.id): it has ended (\(end.rawValue))")
    }
    let by = Presentation.Responder(process: call.peer)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      place.coordinator.send { [isAdmin = call.isAdmin] in
        $0.revoke(record.grant.id, by: by, isAdmin: isAdmin) { continuation.resume(with: $0.mapError { $0 }) }
      }
    }
    return try await get(call)
  }

  /// Checks that the caller may have an answer remembered. Ends grants whose process is gone, so that they leave room.
  func check(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws {
    guard call.isAdmin || call.roles.contains(.grant) else {
      throw RouterError(.forbidden, "cannot remember the answer: it needs the role grant", field: "/remember")
    }
    for grant in coordinator.grants where grant.isGone(here: coordinators.host ?? "") {
      coordinator.revoke(grant.id, by: nil, isAdmin: true) { _ in }
    }
  }

  private func find(_ call: Call) async throws -> (record: GrantRecord, place: Coordinators.Place) {
    guard let id = GrantID(call.parameter) else { throw Self.notFound(call) }
    for place in coordinators.all {
      if let record = try await records(in: place, call, includesEnded: true).first(where: { $0.grant.id == id }) {
        return (record, place)
      }
    }
    throw Self.notFound(call)
  }

  /// The grants on record that the caller may see.
  private func records(in place: Coordinators.Place, _ call: Call, includesEnded: Bool) async throws -> [GrantRecord] {
    let inForce = await place.coordinator.grants
    let alive = Set(inForce.map(\.id))
    let seesAll = call.isAdmin || call.roles.contains(.audit)
    let found = try await place.reader.grantRecords(inForce: inForce, includesEnded: includesEnded)
    return found.filter { seesAll || call.concerns($0.grant) }.map { record in
      var record = record
      record.note(isInForce: alive.contains(record.grant.id), isGone: record.grant.isGone(here: coordinators.host ?? ""))
      return record
    }
  }

  private static func notFound(_ call: Call) -> RouterError {
    RouterError(.notFound, "cannot find the remembered answer \(call.parameter.shortened)")
  }
}

extension Call {
  /// Whether the caller gave a grant or benefits from it, on this host.
  fileprivate func concerns(_ grant: Grant) -> Bool {
    grant.concerns(Owner(host: "", uid: peer.uid)) || grant.concerns(Owner(host: host, uid: peer.uid))
  }
}

extension Grant {
  /// Whether the process that it is bound to is of this host and has ended.
  fileprivate func isGone(here host: String) -> Bool {
    guard let session = condition.session, condition.owner.host.isEmpty || condition.owner.host == host else { return false }
    return session.boot != Proc.bootID || !Proc.isRunning(session.pid, started: session.started)
  }
}
