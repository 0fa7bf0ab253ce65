package import RouterCore

/// Queries for the start of a coordinator.
extension AuditReader {
  /// Returns the recorded state for decisions.
  package func fold(at now: Moment) async throws -> PresentationFold {
    // The clock may have been set back.
    let start = Moment(boot: now.boot, wall: max(now.wall, try await lastTime() ?? now.wall))
    var agents = RecentAgents()
    for (requester, agent, at) in try await self.agents(since: start.wall.advanced(by: .zero - RecentAgents.time)) {
      agents.note(requester, agent: agent, at: start.boot - max(.zero, start.wall.duration(since: at)))
    }
    var answers = RecentAnswers()
    for presentation in try await rememberable(since: start.wall.advanced(by: .zero - RecentAnswers.time)) {
      answers.note(presentation, at: presentation.resolvedAt ?? presentation.requestedAt)
    }
    let standing = try await standing()
    return PresentationFold(
      try await open().map { OpenPresentation($0, at: start) }, lastNumber: try await lastNumber(),
      usedKeys: try await usedKeys(),
      standing: Standing(
        standing.grants(), rules: standing.rules, pauses: standing.pauses.list(),
        switched: try await lastSwitch(since: start.wall.advanced(by: .zero - Switch.longest)), at: start), agents: agents,
      answers: answers)
  }

  /// Returns the open presentations in display order, folded from their events.
  package func open() async throws -> [Presentation] {
    try await read { connection in
      try connection.transaction("BEGIN") {
        let fold = try AuditFold(connection)
        let open = try connection.ids(where: "state <> 'resolved'")
        let folded = try open.compactMap { try fold.presentation($0) }.filter { $0.state != .resolved }
        let byID = Dictionary(folded.map { ($0.id, $0) }) { $1 }
        for presentation in folded {
          guard let parent = presentation.request.over else { continue }
          // A stacked presentation ends with its parent, so the parent is open and was requested earlier.
          guard let below = byID[parent], below.number < presentation.number,
            below.request.surface == presentation.request.surface
          else { throw FoldError("\(presentation.id) is stacked on what is not open") }
        }
        return folded.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
      }
    }
  }

  /// Returns the ended presentations whose callback is still pending, in order of request.
  package func pendingCallbacks() async throws -> [Presentation] {
    try await read { connection in
      try connection.transaction("BEGIN") {
        let fold = try AuditFold(connection)
        let pending = try connection.ids(where: "callback_state = 'pending' AND state = 'resolved'")
        return try pending.compactMap { try fold.presentation($0) }
          .filter { $0.state == .resolved && $0.callback?.state == .pending }.sorted { $0.number < $1.number }
      }
    }
  }

  /// Returns the last presentation requested with an idempotency key, if it has ended.
  package func ended(_ scope: IdempotencyKey.Scope) async throws -> Presentation? {
    try await read { connection in
      try connection.transaction("BEGIN") {
        let asked = try connection.rows(
          "SELECT id FROM presentations WHERE idempotency_key = ? AND uid = ? AND app = ? AND host = ?",
          [.text(scope.text), .int(scope.owner.uid), .text(scope.app), .text(scope.owner.host)]
        ) { $0.text(0).flatMap(PresentationID.init) }
        var ids = Set(asked.compactMap(\.self))
        try connection.forEachRequestWithoutRow { if $0.keyScope == scope { ids.insert($0.id) } }
        let fold = try AuditFold(connection)
        return try ids.compactMap { try fold.presentation($0) }.filter { $0.state == .resolved }.max { $0.number < $1.number }
      }
    }
  }

  /// Returns the idempotency keys of all recorded presentations.
  private func usedKeys() async throws -> UsedKeys {
    try await read { connection in
      try connection.transaction("BEGIN") {
        var keys = UsedKeys()
        try connection.forEachRow(
          "SELECT idempotency_key, uid, app, host FROM presentations WHERE idempotency_key IS NOT NULL"
        ) { row in
          let owner = Owner(host: row.text(3) ?? "", uid: UInt32(truncatingIfNeeded: row.integer(1)))
          keys.insert(IdempotencyKey.Scope(owner: owner, app: row.text(2) ?? "", text: row.text(0) ?? ""))
          return true
        }
        try connection.forEachRequestWithoutRow { if let scope = $0.keyScope { keys.insert(scope) } }
        return keys
      }
    }
  }

  /// Returns the rules and pauses in force, and the grants that were not revoked. Some grants may have expired.
  package func standing() async throws -> Standing {
    try await read { connection in try connection.transaction("BEGIN") { try AuditFold(connection).standing() } }
  }

  /// Returns the last switch since a time; on if there is none.
  private func lastSwitch(since time: Timestamp) async throws -> Switch {
    try await read { connection in
      try connection.transaction("BEGIN") {
        let first = try AuditHours(series: .events).numbers(since: time, until: nil, connection)?.lowerBound
        let found = try connection.rows(
          "SELECT \(AuditRecord.columns) FROM events WHERE seq >= ? AND type = 'switched' ORDER BY seq DESC LIMIT 1",
          [.int(min(first ?? .max, try AuditProjector.cursor(connection) + 1))], AuditRecord.init(row:))
        guard case .switched(let last)? = try found.first?.event().detail else { return .on }
        return last
      }
    }
  }

  /// Returns the requests with an agent since a time, oldest first: the requester, the agent and the time.
  private func agents(
    since time: Timestamp
  ) async throws -> [(requester: Presentation.Requester, agent: Int32, at: Timestamp)] {
    try await read { connection in
      try connection.transaction("BEGIN") {
        var found: [(Presentation.Requester, Int32, Timestamp)] = []
        func add(_ presentation: Presentation) {
          guard let agent = presentation.request.agent, presentation.requestedAt >= time else { return }
          found.append((presentation.requester, agent, presentation.requestedAt))
        }
        if let span = try AuditHours(series: .presentations).numbers(since: time, until: nil, connection) {
          // Most requests name no agent. Decoding all of a day would take most of the start.
          try connection.forEachRow(
            """
            SELECT \(PresentationRow.readColumns) FROM presentations AS p
            WHERE number BETWEEN ? AND ? AND instr(request, '"agent":') > 0 ORDER BY number DESC LIMIT ?
            """,
            [.integer(max(span.lowerBound, span.upperBound - 50_000)), .integer(span.upperBound), .int(RecentAgents.limit)]
          ) { row in
            add(try Presentation(row: row, from: 0))
            return true
          }
        }
        try connection.forEachRequestWithoutRow(add)
        return found.sorted { $0.2 < $1.2 }
      }
    }
  }

  /// Returns answered requests that offered to remember the answer, in the order of asking: those since a time among the last
  /// 10,000 requests.
  private func rememberable(since time: Timestamp) async throws -> [Presentation] {
    try await read { connection in
      try connection.rows(
        """
        SELECT \(PresentationRow.readColumns) FROM presentations AS p
        WHERE number > (SELECT max(number) - 10000 FROM presentations) AND outcome = 'answered' AND settled_by IS NULL
          AND resolved_at >= ? AND instr(request, '"remember":') > 0 ORDER BY number
        """, [.text(time.description)]
      ) { try Presentation(row: $0, from: 0) }
    }
  }

  package func lastNumber() async throws -> Int {
    try await read { try AuditFold.lastNumber($0) }
  }

  package func lastTime() async throws -> Timestamp? {
    try await read(rows: .unused) { connection in
      try connection.rows("SELECT at FROM events ORDER BY seq DESC LIMIT 1") { $0.text(0).flatMap(Timestamp.init) }
        .first ?? nil
    }
  }
}

extension SQLiteConnection {
  /// Returns the ids of the rows that match a condition, and of presentations with events that are missing from the rows.
  fileprivate func ids(where condition: String) throws -> Set<PresentationID> {
    let ids = try rows(
      """
      SELECT id FROM presentations WHERE \(condition)
      UNION SELECT presentation FROM events WHERE seq > ? AND presentation IS NOT NULL
      """, [.integer(try AuditProjector.cursor(self))]
    ) { $0.text(0).flatMap(PresentationID.init) }
    return Set(ids.compactMap(\.self))
  }
  /// Passes the presentations with requests that are missing from the rows, in the state of the request.
  fileprivate func forEachRequestWithoutRow(_ body: (Presentation) -> Void) throws {
    try forEachRow(
      "SELECT \(AuditRecord.columns) FROM events WHERE seq > ? AND type = 'requested'",
      [.integer(try AuditProjector.cursor(self))]
    ) { row in
      body(try Presentation(try AuditRecord(row: row).event()))
      return true
    }
  }
}

extension Presentation {
  fileprivate var keyScope: IdempotencyKey.Scope? { key?.scope(of: requester) }
}
