/// Where the wall clock was set back, by the numbers of what was recorded then.
///
/// Between two such places times rise with the numbers, give or take ten seconds, so that a time is found by halving and no
/// index of times is needed. Docs/Decisions/log-queries.md says more.
struct ClockSteps {
  /// What is numbered.
  enum Series: String {
    case events, presentations

    var number: String { self == .events ? "seq" : "number" }
    var time: String { self == .events ? "at" : "requested_at" }
  }

  /// How far back the clock may go without a step: NTP's small corrections, and requests that overtake each other.
  static let slack = Duration.seconds(10)

  /// Finds steps as times come in the order of their numbers.
  struct Detector {
    /// The latest time since the last step.
    private var latest: Timestamp?

    init() {}

    /// After what is on record already.
    ///
    /// - Parameter last: The time with the highest number. The latest may be ten seconds later; to take it so costs at most
    ///   a step too many.
    init(after last: Timestamp?) {
      latest = last?.advanced(by: ClockSteps.slack)
    }

    /// Whether a step comes before this time.
    mutating func isStep(to time: Timestamp) -> Bool {
      guard let latest else {
        self.latest = time
        return false
      }
      let isStep = time.advanced(by: ClockSteps.slack) < latest
      self.latest = isStep ? time : max(latest, time)
      return isStep
    }
  }

  let series: Series
  let connection: SQLiteConnection

  /// Puts a step on record.
  static func record(_ start: Int64, of series: Series, _ connection: SQLiteConnection) throws {
    try connection.run(
      "INSERT OR IGNORE INTO clock_steps (series, start) VALUES (?, ?)", .text(series.rawValue), .integer(start))
  }

  /// The numbers between which everything is that happened at or after `since` and before `until`. There may be more between
  /// them: what is wanted is still to be compared with the times.
  func numbers(since: Timestamp?, until: Timestamp?) throws -> ClosedRange<Int64>? {
    guard since != nil || until != nil else { return 0...Int64.max }
    // One after the other: SQLite looks at an end for a question about it alone, and at every row for one about both.
    let last = try connection.integer("SELECT max(\(series.number)) FROM \(series.rawValue)")
    let first = try connection.integer("SELECT min(\(series.number)) FROM \(series.rawValue)")
    guard last > 0 else { return nil }
    let steps = try connection.rows(
      "SELECT start FROM clock_steps WHERE series = ? AND start > ? ORDER BY start LIMIT 257",
      [.text(series.rawValue), .integer(first)]
    ) { $0.integer(0) }
    // A clock that is set back every day is no clock to search by.
    guard steps.count <= 256 else { return first...last }
    var (low, high) = (Int64.max, Int64.min)
    for (start, next) in zip([first] + steps, steps + [last + 1]) {
      let from = try since.map { try lowest(from: start, to: next, with: $0.advanced(by: .zero - Self.slack)) } ?? start
      let to = try until.map { try lowest(from: start, to: next, with: $0.advanced(by: Self.slack)) } ?? next
      guard from < to else { continue }
      (low, high) = (min(low, from), max(high, to - 1))
    }
    return low <= high ? low...high : nil
  }

  /// A number before which, of those from `start` on, nothing is as late as the time; `end` if nothing is.
  private func lowest(from start: Int64, to end: Int64, with time: Timestamp) throws -> Int64 {
    var (low, high) = (start, end)
    while low < high {
      let middle = low + (high - low) / 2
      // Numbers may be missing: what was pruned while others stayed.
      let found = try connection.rows(
        """
        SELECT \(series.number), \(series.time) FROM \(series.rawValue)
        WHERE \(series.number) >= ? ORDER BY \(series.number) LIMIT 1
        """, [.integer(middle)]
      ) { ($0.integer(0), $0.text(1).flatMap { Timestamp($0) }) }
      guard let (number, at) = found.first, number < high else {
        high = middle
        continue
      }
      guard let at else { return start }
      if at < time { low = number + 1 } else { high = middle }
    }
    return low
  }
}
