import RouterCore

/// The table `counts`: durations of ended presentations by outcome, per hour for all apps together and per app for all
/// time.
struct AuditCounts {
  struct Key: Sendable, Hashable {
    /// `nil` for all apps together.
    var app: String?
    /// The hour of the request since 1970-01-01; 0 for all time.
    var hour: Int64 = 0
    let ending: Ending
    let measure: Measure
    let bucket: DurationBucket

    var values: [SQLiteValue] {
      [.text(app ?? ""), .integer(hour), .text(ending.rawValue), .text(measure.rawValue), .int(bucket.index)]
    }
  }

  /// An outcome with the kind of its answer: `dismissed`, `answered/no`.
  struct Ending: RawRepresentable, Sendable, Hashable {
    let outcome: PresentationOutcome.Name
    let answer: AnswerKind?

    init(_ outcome: PresentationOutcome.Name, _ answer: AnswerKind?) { (self.outcome, self.answer) = (outcome, answer) }

    init?(rawValue: String) {
      let parts = rawValue.split(at: "/", omittingEmptySubsequences: false).map(String.init)
      guard let outcome = PresentationOutcome.Name(rawValue: parts[0]), parts.count <= 2 else { return nil }
      let answer = parts.count == 2 ? AnswerKind(rawValue: parts[1]) : nil
      guard (answer != nil) == (outcome == .answered) else { return nil }
      self.init(outcome, answer)
    }

    var rawValue: String { outcome.rawValue + (answer.map { "/\($0.rawValue)" } ?? "") }

    // By default, RawRepresentable compares and hashes the text.
    static func == (left: Ending, right: Ending) -> Bool { left.outcome == right.outcome && left.answer == right.answer }

    func hash(into hasher: inout Hasher) {
      hasher.combine(outcome)
      hasher.combine(answer)
    }
  }

  enum Measure: String, Sendable, Hashable {
    /// The time from the request until first shown, or until the end if never shown. Each ended presentation has one, or
    /// ``settled``.
    case waited
    /// A remembered answer ended the presentation. No person was involved, so the time is in bucket 0.
    case settled
    /// The time from first shown until the end.
    case shown
  }

  private(set) var changes: [Key: Int] = [:]

  /// Adds an ended presentation; with `times: -1`, removes it.
  mutating func add(_ ended: Ended, times: Int = 1) {
    for key in ended.keys { changes[key, default: 0] += times }
  }

  func write(to connection: SQLiteConnection) throws {
    guard !changes.isEmpty else { return }
    let add = try connection.statement(
      """
      INSERT INTO counts (app, period, outcome, measure, bucket, n) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET n = n + excluded.n
      """)
    for (key, n) in changes where n != 0 {
      try add.run(key.values + [.int(n)])
      if n < 0 {
        try connection.run(
          "DELETE FROM counts WHERE app = ? AND period = ? AND outcome = ? AND measure = ? AND bucket = ? AND n = 0",
          key.values)
      }
    }
  }

  struct Ended: Sendable, Hashable {
    let app: String
    let ending: Ending
    let requestedAt: Timestamp
    let presentedAt: Timestamp?
    let resolvedAt: Timestamp
    let isSettled: Bool

    static let columns = "p.app, p.outcome, p.requested_at, p.presented_at, p.resolved_at, p.reason, p.settled_by"

    init?(_ presentation: Presentation) {
      guard let outcome = presentation.outcome?.name, let resolvedAt = presentation.resolvedAt else { return nil }
      ending = Ending(outcome, presentation.answerKind)
      (app, self.resolvedAt) = (presentation.requester.app, resolvedAt)
      (requestedAt, presentedAt) = (presentation.requestedAt, presentation.presentedAt)
      isSettled = presentation.because?.isStanding ?? false
    }

    init(row: SQLiteStatement, from first: Int32) throws(JSONError) {
      guard let app = row.text(first), let outcome = row.text(first + 1).flatMap(PresentationOutcome.Name.init),
        let requestedAt = row.text(first + 2).flatMap(Timestamp.init),
        let resolvedAt = row.text(first + 4).flatMap(Timestamp.init)
      else { throw JSONError("a prompt that has ended cannot be read") }
      (self.app, self.requestedAt, self.resolvedAt) = (app, requestedAt, resolvedAt)
      ending = Ending(outcome, outcome == .answered ? row.text(first + 5).flatMap(AnswerKind.init) ?? .other : nil)
      presentedAt = row.text(first + 3).flatMap(Timestamp.init)
      isSettled = row.text(first + 6).flatMap(Presentation.Authority.init)?.isStanding ?? false
    }

    /// The keys of the rows that count this presentation.
    var keys: [Key] {
      durations.flatMap { measure, bucket in
        [
          Key(hour: requestedAt.hour, ending: ending, measure: measure, bucket: bucket),
          Key(app: app, ending: ending, measure: measure, bucket: bucket),
        ]
      }
    }

    var durations: [(Measure, DurationBucket)] {
      if isSettled { return [(.settled, DurationBucket(of: .zero))] }
      let waited = (Measure.waited, DurationBucket(of: (presentedAt ?? resolvedAt).duration(since: requestedAt)))
      guard let presentedAt else { return [waited] }
      return [waited, (.shown, DurationBucket(of: resolvedAt.duration(since: presentedAt)))]
    }
  }
}

extension Timestamp {
  /// Hours since 1970-01-01 UTC, rounded down.
  var hour: Int64 { (milliseconds - (milliseconds % 3_600_000 + 3_600_000) % 3_600_000) / 3_600_000 }

  init(hour: Int64) {
    self.init(milliseconds: hour * 3_600_000)
  }
}
