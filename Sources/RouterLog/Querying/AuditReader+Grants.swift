package import RouterCore
import RouterSystem

/// A grant on record, with its uses and its end.
package struct GrantRecord: Sendable, Hashable {
  package enum End: String, Sendable, Hashable {
    case revoked, expired, processGone
    /// The same was granted again.
    case superseded
  }

  package let grant: Grant
  /// The number of requests that it has settled, and the time of the last.
  package let uses: Int
  package let lastUse: Timestamp?
  /// Why it is no longer in force; `nil` while it is.
  package private(set) var end: End?
  package let endedAt: Timestamp?

  /// Notes what the record does not have.
  package mutating func note(isInForce: Bool, isGone: Bool) {
    if isGone, end == nil {
      end = .processGone
    } else if !isInForce, end == nil {
      end = .superseded
    }
  }

  fileprivate init(_ grant: Grant, revoked: Revocation?, uses: Int, lastUse: Timestamp?, at now: Timestamp) {
    (self.grant, self.uses, self.lastUse) = (grant, uses, lastUse)
    if let revoked {
      (end, endedAt) = (revoked.isByPerson ? .revoked : .processGone, revoked.at)
    } else if let until = grant.until, until <= now {
      (end, endedAt) = (.expired, until)
    } else {
      (end, endedAt) = (nil, nil)
    }
  }

  fileprivate struct Revocation {
    let at: Timestamp
    let isByPerson: Bool
  }
}

extension GrantRecord: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    grant.addMembers(to: &writer, id: "id")
    writer.add("coverage", grant.coverage)
    writer.add("used", uses)
    writer.add("lastUsed", optional: lastUse?.description)
    writer.add("ended", optional: end?.rawValue)
    writer.add("endedAt", optional: endedAt?.description)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    grant = try Grant(json: json, at: pointer)
    var reader = try JSONObjectReader(json, at: pointer)
    uses = try reader.count("used") ?? 0
    lastUse = try reader.timestamp("lastUsed")
    end = try reader.string("ended").flatMap(End.init)
    endedAt = try reader.timestamp("endedAt")
  }
}

extension AuditReader {
  /// The maximum number of ended grants that ``grantRecords(inForce:includesEnded:at:)`` returns.
  private static let maximumCount = 1000

  /// Returns the grants in force, and perhaps the last ones that have ended, newest first.
  package func grantRecords(
    inForce: [Grant], includesEnded: Bool, at now: Timestamp = PresentationClock.system.wall()
  ) async throws -> [GrantRecord] {
    try await read { connection in
      try connection.transaction("BEGIN") {
        var revocations: [GrantID: GrantRecord.Revocation] = [:]
        var grants: [Grant] = []
        // Matches the condition of the index `events_standing`, so that SQLite uses it.
        try connection.forEachRow(
          """
          SELECT \(AuditRecord.columns) FROM events WHERE \(AuditSchema.isStanding) AND type IN ('granted', 'revoked')
          ORDER BY seq DESC LIMIT ?
          """,
          [.int(2 * Self.maximumCount)]
        ) { row in
          let event = try AuditRecord(row: row).event()
          switch event.detail {
          case .granted(let grant): grants.append(grant)
          case .revoked(let revoked): revocations[revoked.grant] = .init(at: event.at, isByPerson: revoked.by != nil)
          default: break
          }
          return true
        }
        let (known, alive) = (Set(grants.map(\.id)), Set(inForce.map(\.id)))
        grants += (try AuditFold(connection).pruned?.grants ?? []).filter { !known.contains($0.id) && !alive.contains($0.id) }
        let ended = grants.filter { !alive.contains($0.id) }.prefix(includesEnded ? Self.maximumCount : 0)
        return try (inForce + ended).sorted { $1.id < $0.id }.map { grant in
          let use = try connection.rows(
            "SELECT count(*), max(resolved_at) FROM presentations WHERE settled_by = ?",
            [.text(Presentation.Authority.grant(grant.id).description)]
          ) { (Int($0.integer(0)), $0.text(1).flatMap(Timestamp.init)) }.first
          return GrantRecord(grant, revoked: revocations[grant.id], uses: use?.0 ?? 0, lastUse: use?.1, at: now)
        }
      }
    }
  }
}
