import OrderedCollections
package import RouterCore

/// A rule in force, with its uses.
package struct RuleRecord: Sendable, Hashable {
  package let rule: Rule
  /// The number of requests that it decided or changed, and the time of the last.
  package let uses: Int
  package let lastUse: Timestamp?

  package init(_ rule: Rule, _ use: RuleUse?) { (self.rule, uses, lastUse) = (rule, use?.count ?? 0, use?.last) }
}

extension RuleRecord: JSONObject, JSONPart {
  package static var schema: JSONValue { .schema("Rule") }

  package func addMembers(to writer: inout JSONWriter) {
    rule.addMembers(to: &writer)
    writer.add("matched", uses)
    writer.add("last", optional: lastUse?.description)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    var members = json.object ?? [:]
    let (uses, last) = (members.removeValue(forKey: "matched"), members.removeValue(forKey: "last"))
    rule = try Rule(json: .object(members), at: pointer)
    self.uses = uses?.number?.integer ?? 0
    lastUse = last?.string.flatMap(Timestamp.init)
  }
}

package struct RuleUse: Sendable, Hashable {
  package var count: Int
  package var last: Timestamp
}

extension AuditReader {
  /// Returns, for each rule by id, the number of requests since a time that it decided or changed.
  package func ruleUses(since: Timestamp) async throws -> [String: RuleUse] {
    try await read { connection in
      var uses: [String: RuleUse] = [:]
      func add(_ rule: String?, _ row: SQLiteStatement) {
        guard let rule, let last = row.text(2).flatMap(Timestamp.init) else { return }
        let known = uses[rule]
        uses[rule] = RuleUse(count: (known?.count ?? 0) + Int(row.integer(1)), last: max(known?.last ?? last, last))
      }
      try connection.forEachRow(
        """
        SELECT settled_by, count(*), max(requested_at) FROM presentations
        WHERE settled_by >= 'rule:' AND settled_by < 'rule;' AND requested_at >= ? GROUP BY settled_by
        """, [.text(since.description)]
      ) { row in
        if case .rule(let id, _) = row.text(0).flatMap(Presentation.Authority.init) { add(id, row) }
        return true
      }
      try connection.forEachRow(
        """
        SELECT ruled, count(*), max(requested_at) FROM presentations
        WHERE ruled IS NOT NULL AND requested_at >= ? GROUP BY ruled
        """, [.text(since.description)]
      ) { row in
        add(try row.text(0).map { try Ruling(json: JSONValue(stored: $0)).rule }, row)
        return true
      }
      return uses
    }
  }

  /// Returns the time at which the rules in force were loaded, and the party that confirmed them; `nil` if no rules are
  /// recorded, or only in a pruning.
  package func rulesLoaded() async throws -> (at: Timestamp, by: Presentation.Responder?)? {
    try await read(rows: .unused) { connection in
      // Matches the condition of the index `events_standing`, so that SQLite uses it.
      let events = try connection.rows(
        """
        SELECT \(AuditRecord.columns) FROM events
        WHERE \(AuditSchema.isStanding) AND type = 'rulesLoaded' ORDER BY seq DESC LIMIT 1
        """, []
      ) { try AuditRecord(row: $0).event() }
      guard let event = events.first, case .rulesLoaded(let loaded) = event.detail else { return nil }
      return (event.at, loaded.by)
    }
  }
}
