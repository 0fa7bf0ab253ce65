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
    let limit = try parameters.count("limit", 1...1000) ?? 100
    let cursor = try parameters.presentationID("cursor")
    try parameters.finish()
    let keepers = coordinators.all
    var left: [(record: GrantRecord, keeper: Int)] = []
    for (index, keeper) in keepers.enumerated() {
      left += try await records(in: keeper, call, includesEnded: hasEnded).map { ($0, index) }
    }
    left.removeAll { record, _ in
      app != nil && record.grant.app != app || !hasEnded && record.end != nil || cursor.map { $0 <= record.grant.id } ?? false
    }
    left.sort { $1.record.grant.id < $0.record.grant.id }
    var bytes = 0
    let page = left.prefix(limit).prefix { record, _ in
      defer { bytes += JSONText(record).bytes.count }
      return bytes < OpenPage.maximumBytes
    }
    var counted: [GrantRecord] = []
    for (index, keeper) in keepers.enumerated() {
      counted += try await keeper.reader.counted(page.filter { $0.keeper == index }.map(\.record))
    }
    counted.sort { $1.grant.id < $0.grant.id }
    return Response(Page(counted, next: page.count < left.count ? page.last?.record.grant.id.description : nil))
  }

  /// `GET /v1/grants/{id}`
  @Sendable func get(_ call: Call) async throws -> Response? {
    let (record, keeper, _) = try await find(call)
    return Response(try await keeper.reader.counted([record])[0])
  }

  /// `DELETE /v1/grants/{id}`
  @Sendable func revoke(_ call: Call) async throws -> Response? {
    let (record, keeper, isInForce) = try await find(call)
    // Otherwise only the role audit lets the caller see the grant.
    guard call.isAdmin || call.concerns(record.grant) else {
      throw RouterError(.forbidden, "cannot revoke \(record.grant.id): it is another user's")
    }
    // A session without its process still applies to connections that the process left.
    if let end = record.end, !isInForce {
      throw RouterError(.resolved, "cannot revoke \(record.grant.id): it has ended (\(end.rawValue))")
    }
    let by = Presentation.Responder(process: call.peer)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      keeper.coordinator.send { [isAdmin = call.isAdmin] in
        $0.revoke(record.grant.id, by: by, isAdmin: isAdmin) { continuation.resume(with: $0.mapError { $0 }) }
      }
    }
    return try await get(call)
  }

  /// Checks that the caller may have another answer remembered. Ends grants whose process is gone, to free their slots.
  func check(_ call: Call, _ coordinator: isolated PresentationCoordinator) throws {
    guard call.isAdmin || call.roles.contains(.grant) else {
      throw RouterError(.forbidden, "cannot remember the answer: it needs the role grant", field: "/remember")
    }
    for grant in coordinator.grants where grant.isGone(here: coordinators.host ?? "") {
      coordinator.end(grant.id, because: .processGone)
    }
  }

  /// Returns a recorded grant that the caller may see, without its uses.
  private func find(_ call: Call) async throws -> (record: GrantRecord, keeper: Coordinators.Keeper, isInForce: Bool) {
    guard let id = GrantID(call.parameter) else { throw Self.notFound(call) }
    for keeper in coordinators.all {
      let inForce = await keeper.coordinator.grant(id)
      guard let record = try await keeper.reader.grantRecord(id, inForce: inForce, at: keeper.now) else { continue }
      guard let visible = visible(record, call, isInForce: inForce != nil) else { break }
      return (visible, keeper, inForce != nil)
    }
    throw Self.notFound(call)
  }

  /// Returns the recorded grants that the caller may see, without their uses.
  private func records(in keeper: Coordinators.Keeper, _ call: Call, includesEnded: Bool) async throws -> [GrantRecord] {
    let inForce = await keeper.coordinator.grants
    let alive = Set(inForce.map(\.id))
    let found = try await keeper.reader.grantRecords(inForce: inForce, includesEnded: includesEnded, at: keeper.now)
    return found.compactMap { visible($0, call, isInForce: alive.contains($0.grant.id)) }
  }

  /// Returns a record with its unrecorded state; `nil` if the caller may not see it.
  private func visible(_ record: GrantRecord, _ call: Call, isInForce: Bool) -> GrantRecord? {
    guard call.isAdmin || call.roles.contains(.audit) || call.concerns(record.grant) else { return nil }
    var record = record
    record.note(isInForce: isInForce, isGone: record.grant.isGone(here: coordinators.host ?? ""))
    return record
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
  /// Whether the grant's process ran on this host and has ended.
  fileprivate func isGone(here host: String) -> Bool {
    guard let session = condition.session, condition.owner.host.isEmpty || condition.owner.host == host else { return false }
    return session.boot != Proc.bootID || !Proc.isRunning(session.pid, started: session.started)
  }
}
