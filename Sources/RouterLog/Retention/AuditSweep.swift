import RouterCore
import RouterSystem

/// Removes pruned rows step by step: first presentations with their search index entries and counts, then events, then
/// free pages.
struct AuditSweep: Sendable {
  private enum Stage: Sendable {
    case presentations(after: Int64)
    case events
    case freePages
    case finished
  }

  /// The time limit of a step, during which the writer is blocked.
  private static let stepTime = Duration.milliseconds(5)

  private var stage = Stage.presentations(after: 0)
  let anchor: Int64
  private(set) var swept: Int64 = 0
  /// The numbers of the presentations that continue after the cut.
  private let carried: Set<Int64>

  init?(_ connection: SQLiteConnection) throws {
    guard let pruned = try AuditFold.lastPruned(connection) else { return nil }
    anchor = pruned.anchor.seq
    carried = Set(pruned.carried.map { Int64($0.number) })
  }

  var isFinished: Bool {
    if case .finished = stage { true } else { false }
  }

  mutating func step(_ connection: SQLiteConnection, _ clock: PresentationClock) throws {
    let deadline = clock.now() + Self.stepTime
    let isLate = { clock.now() >= deadline }
    switch stage {
    case .presentations(let after):
      stage = try connection.transaction { try sweepPresentations(after: after, connection, until: isLate) }
    case .events:
      stage = try connection.transaction { try sweepEvents(connection, until: isLate) }
    case .freePages:
      // If the file was created without incremental vacuum, this does nothing, and the free pages are reused.
      let free = try connection.integer("PRAGMA freelist_count")
      _ = try connection.rows("PRAGMA incremental_vacuum(64)") { _ in }
      stage = try connection.integer("PRAGMA freelist_count") < free ? .freePages : .finished
    case .finished: break
    }
    let first = try connection.integer("SELECT coalesce(min(seq), 0) FROM events")
    swept = max(0, min(max(first, 1) - 1, anchor))
  }

  private func sweepPresentations(
    after: Int64, _ connection: SQLiteConnection, until isLate: () -> Bool
  ) throws -> Stage {
    var place = after
    var counts = AuditCounts()
    var isDone = false
    while !isDone, !isLate() {
      let rows = try connection.rows(
        """
        SELECT number, EXISTS (SELECT 1 FROM events WHERE presentation = id AND type = 'requested' AND seq > ?),
          state = 'resolved', \(AuditCounts.Ended.columns)
        FROM presentations AS p WHERE number > ? ORDER BY number LIMIT 16
        """, [.integer(anchor), .integer(place)]
      ) { row in
        (
          number: row.integer(0), isLater: row.integer(1) != 0,
          ended: row.integer(2) != 0 ? try AuditCounts.Ended(row: row, from: 3) : nil
        )
      }
      let old = rows.prefix { !$0.isLater }
      isDone = rows.isEmpty || old.count < rows.count
      for row in old {
        place = row.number
        guard let ended = row.ended, !carried.contains(row.number) else { continue }
        counts.add(ended, times: -1)
        try connection.run("DELETE FROM words WHERE rowid = ?", .integer(row.number))
        try connection.run("DELETE FROM presentations WHERE number = ?", .integer(row.number))
      }
    }
    try counts.write(to: connection)
    return isDone ? .events : .presentations(after: place)
  }

  private func sweepEvents(_ connection: SQLiteConnection, until isLate: () -> Bool) throws -> Stage {
    while !isLate() {
      let first = try connection.integer("SELECT coalesce(min(seq), 0) FROM events")
      guard first > 0, first <= anchor else {
        try AuditHours(series: .events).removeRuns(before: anchor + 1, from: connection)
        let number = try connection.integer("SELECT min(number) FROM presentations")
        if number > 0 { try AuditHours(series: .presentations).removeRuns(before: number, from: connection) }
        return .freePages
      }
      try connection.run("DELETE FROM events WHERE seq <= ?", .integer(min(anchor, first + 63)))
    }
    return .events
  }
}
