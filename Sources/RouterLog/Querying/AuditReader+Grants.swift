package import OrderedCollections
package import RouterCore
import RouterSystem

/// A recorded grant, with its uses and its end.
package struct GrantRecord: Sendable, Hashable {
  package enum End: String, Sendable, Hashable, CaseIterable {
    case revoked, expired, processGone, unused, roleLost
    /// Replaced by an identical grant.
    case superseded
  }

  package let grant: Grant
  /// The number of requests that it answered, and the time of the last.
  package var uses = 0
  package var lastUse: Timestamp?
  /// The reason for its end; `nil` while it is in force.
  package private(set) var end: End?
  package let endedAt: Timestamp?

  /// Adds state that is not recorded.
  package mutating func note(isInForce: Bool, isGone: Bool) {
    if isGone, end == nil {
      end = .processGone
    } else if !isInForce, end == nil {
      end = .superseded
    }
  }

  fileprivate init(_ grant: Grant, revoked: Revocation?, at now: Timestamp) {
    self.grant = grant
    if let revoked {
      (end, endedAt) = (revoked.end, revoked.at)
    } else if let until = grant.until, until <= now {
      (end, endedAt) = (.expired, until)
    } else {
      (end, endedAt) = (nil, nil)
    }
  }

  fileprivate struct Revocation {
    let at: Timestamp
    let end: End
  }
}

extension GrantRecord: PageElement {
  package static var pluralName: StaticString { "grants" }
  package static var schemaName: String { "Grant" }
  package static var about: String { "A remembered answer." }
  package static var conditions: OrderedDictionary<String, JSONValue> {
    ["not": ["required": ["session", "until"]]]
  }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let id = try f("id", \.grant.id, "Its id.")
    grant = try f.inline(\.grant.terms).grant(id)
    uses = try f("used", ifAbsent: 0, \.uses, "The number of presentations that it has settled.")
    lastUse = try f(orNull: "lastUsed", \.lastUse)
    end = try f(
      orNull: "ended", { $0.end?.rawValue },
      "Why it has ended; null while it is in force. superseded: replaced by an identical grant. roleLost: its giver lost the role grant.",
      End.schema
    ).flatMap(End.init)
    endedAt = try f(orNull: "endedAt", \.endedAt, "Null if the record does not say when.")
  }
}

extension GrantRecord.End: JSONName {}

extension AuditReader {
  /// The maximum number of ended grants that ``grantRecords(inForce:includesEnded:at:)`` returns.
  private static let maximumCount = 1000

  /// Returns the grants in force, and optionally the most recently ended ones, without their uses.
  package func grantRecords(
    inForce: [Grant], includesEnded: Bool, at now: Timestamp
  ) async throws -> [GrantRecord] {
    guard includesEnded else { return inForce.map { GrantRecord($0, revoked: nil, at: now) } }
    return try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") {
        var found = GrantEvents()
        // Matches the condition of the index `events_standing`, so that SQLite uses it.
        try connection.forEachRow(
          """
          SELECT \(AuditRecord.columns) FROM events WHERE \(AuditSchema.isStanding) AND \(AuditSchema.isOfGrant)
          ORDER BY seq DESC LIMIT ?
          """, [.int(2 * Self.maximumCount)]
        ) { row in
          found.add(try AuditRecord(row: row).event())
          return true
        }
        let (known, alive) = (Set(found.grants.map(\.id)), Set(inForce.map(\.id)))
        found.grants += (try AuditFold(connection).pruned?.grants ?? []).filter { !known.contains($0.id) }
        let ended = found.grants.filter { !alive.contains($0.id) }.prefix(Self.maximumCount)
        return (inForce + ended).map { GrantRecord($0, revoked: found.revocations[$0.id], at: now) }
      }
    }
  }

  /// Returns a grant without its uses; `nil` if there is no grant with the id.
  ///
  /// - Parameter inForce: The grant, if it is in force.
  package func grantRecord(
    _ id: GrantID, inForce: Grant?, at now: Timestamp
  ) async throws -> GrantRecord? {
    if let inForce { return GrantRecord(inForce, revoked: nil, at: now) }
    return try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") {
        var found = GrantEvents()
        // Matches the expression and condition of the index `events_of_grant`, so that SQLite uses it.
        try connection.forEachRow(
          """
          SELECT \(AuditRecord.columns) FROM events WHERE \(AuditSchema.grantID) = ? AND \(AuditSchema.isOfGrant) ORDER BY seq
          """, [.text(id.description)]
        ) { row in
          found.add(try AuditRecord(row: row).event())
          return true
        }
        let grant = try found.grants.first ?? AuditFold(connection).pruned?.grants.first { $0.id == id }
        return grant.map { GrantRecord($0, revoked: found.revocations[id], at: now) }
      }
    }
  }

  /// Returns the records including their uses.
  package func counted(_ records: [GrantRecord]) async throws -> [GrantRecord] {
    guard !records.isEmpty else { return [] }
    return try await read { connection in
      try records.map { record in
        var record = record
        try connection.forEachRow(
          "SELECT count(*), max(resolved_at) FROM presentations WHERE settled_by = ?",
          [.text(Presentation.Authority.grant(record.grant.id).description)]
        ) { row in
          (record.uses, record.lastUse) = (Int(row.integer(0)), row.text(1).flatMap(Timestamp.init))
          return true
        }
        return record
      }
    }
  }
}

/// The grants and revocations among events.
private struct GrantEvents {
  var grants: [Grant] = []
  var revocations: [GrantID: GrantRecord.Revocation] = [:]

  mutating func add(_ event: Event) {
    if case .granted(let grant) = event.detail { grants.append(grant) }
    if case .revoked(let revoked) = event.detail {
      let end = revoked.by != nil ? .revoked : revoked.reason.flatMap { GrantRecord.End(rawValue: $0.rawValue) }
      revocations[revoked.grant] = .init(at: event.at, end: end ?? .processGone)
    }
  }
}
