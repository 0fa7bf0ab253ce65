import OrderedCollections

extension AuditWriter {
  /// Commits the event and the anchor of a pruning.
  ///
  /// - Returns: The new anchor, and how many events went; `nil` and none where there is nothing to prune.
  func prune(
    _ limit: PruningLimit, before: Timestamp, by resolver: Resolver?, at now: Timestamp
  ) throws -> (anchor: AuditHead?, events: Int) {
    let last = try connection.integer("SELECT coalesce(max(seq), 0) FROM anchors")
    // The event of the pruning itself is the first that cannot go.
    let seq = min(limit.seq, chain.seq)
    guard seq > last,
      let hash = try connection.rows("SELECT hash FROM events WHERE seq = ?", [.integer(seq)], { $0.blob(0) }).first
    else { return (nil, 0) }
    let anchor = AuditHead(seq: seq, hash: hash)
    var detail: JSONValue = [
      "through": .integer(Int(seq)), "hash": .string(anchor.hash.hexadecimal), "before": .string(before.description),
      "events": .integer(Int(seq - last)),
    ]
    if let resolver, case .object(var members) = detail {
      members["by"] = resolver.json
      detail = .object(members)
    }
    try commit([AuditEntry(at: now, kind: .pruned, detail: detail)]) { connection in
      try connection.run(
        "INSERT INTO anchors (seq, hash, number) VALUES (?, ?, ?)", .integer(seq), .blob(hash), .integer(limit.number))
    }
    return (anchor, Int(seq - last))
  }

  /// Where a sweep goes on.
  enum SweepPlace: Sendable, Hashable {
    case presentations(after: Int64)
    case events
    case freePages
  }

  /// How long a step may hold up the writer.
  private static let stepTime = Duration.milliseconds(5)

  /// Takes one step of a sweep, in a transaction of its own.
  ///
  /// - Returns: Where to go on, `nil` at the end; the last event that was taken out, and the last that is to be.
  func sweep(from place: SweepPlace) throws -> (next: SweepPlace?, swept: Int64, end: Int64) {
    let anchors = try connection.rows("SELECT seq, number FROM anchors ORDER BY seq DESC LIMIT 1") {
      (seq: $0.integer(0), number: $0.integer(1))
    }
    guard let anchor = anchors.first else { return (nil, 0, 0) }
    let deadline = ContinuousClock.now + Self.stepTime
    var next: SweepPlace?
    switch place {
    case .presentations(let after):
      next = try connection.transaction { try sweepPresentations(after: after, anchor, until: deadline) }
    case .events:
      next = try connection.transaction { try sweepEvents(anchor.seq, until: deadline) }
    case .freePages:
      // Where the file was made without it, this does nothing: its free pages are used again.
      let free = try connection.integer("PRAGMA freelist_count")
      _ = try connection.rows("PRAGMA incremental_vacuum(64)") { _ in }
      next = try connection.integer("PRAGMA freelist_count") < free ? .freePages : nil
    }
    let first = try connection.integer("SELECT coalesce(min(seq), 0) FROM events")
    return (next, max(0, min(first - 1, anchor.seq)), anchor.seq)
  }

  private func sweepPresentations(
    after: Int64, _ anchor: (seq: Int64, number: Int64), until deadline: ContinuousClock.Instant
  ) throws -> SweepPlace {
    var place = after
    while ContinuousClock.now < deadline {
      // One that was asked for before the anchor and ended after it stays until its last event goes.
      let rows = try connection.rows(
        """
        SELECT number, id, EXISTS (SELECT 1 FROM events WHERE presentation = id AND seq > ?1)
        FROM presentations WHERE number > ?2 AND number < ?3 ORDER BY number LIMIT 16
        """, [.integer(anchor.seq), .integer(place), .integer(anchor.number)]
      ) { (number: $0.integer(0), stays: $0.integer(2) != 0) }
      guard let last = rows.last else { return .events }
      for row in rows where !row.stays {
        try AuditIndex.remove(number: row.number, from: connection)
        try connection.run("DELETE FROM presentations WHERE number = ?", .integer(row.number))
      }
      place = last.number
    }
    return .presentations(after: place)
  }

  private func sweepEvents(_ end: Int64, until deadline: ContinuousClock.Instant) throws -> SweepPlace {
    while ContinuousClock.now < deadline {
      let first = try connection.integer("SELECT coalesce(min(seq), 0) FROM events")
      guard first > 0, first <= end else {
        try connection.run("DELETE FROM clock_steps WHERE series = 'events' AND start <= ?", .integer(end))
        return .freePages
      }
      try connection.run("DELETE FROM events WHERE seq <= ?", .integer(min(end, first + 63)))
    }
    return .events
  }
}
