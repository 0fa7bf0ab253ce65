/// Which presentations of the log are wanted, or which events. Filters combine; an empty list filters nothing.
public struct AuditQuery: Sendable, Hashable {
  /// Which end of the log comes first.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case newestFirst, oldestFirst
  }

  /// Asked for at or after; an event: happened at or after.
  public var since: Timestamp?
  /// Asked for before; an event: happened before.
  public var until: Timestamp?
  public var apps: [String] = []
  public var uids: [UInt32] = []
  public var surfaces: [String] = []
  public var kinds: [PresentationKind] = []
  public var sheets: [String] = []
  public var outcomes: [PresentationOutcome.Name] = []
  /// Of cancelled, and the phase of expired.
  public var reasons: [String] = []
  /// Text that stands somewhere in the title, the message, the sheet's name or the answer; letter case is passed over (ASCII).
  public var search: String?
  public var order = Order.newestFirst
  /// The most that a page has; at least 1.
  public var limit = 100
  /// Where the page before ended, in the same order.
  public var cursor: Int64?
  /// The last number of what is wanted, in the numbers that ``cursor`` counts in.
  public var through: Int64?

  public init() {}

  /// A condition on the columns of `presentations`, and its values.
  ///
  /// - Parameters:
  ///   - time: The column that ``since`` and ``until`` are about.
  ///   - number: The column that ``cursor`` is about, and that orders the page.
  func condition(time: String, number: String) -> (sql: String, values: [SQLiteValue]) {
    var terms: [String] = []
    var values: [SQLiteValue] = []
    func add(_ term: String, _ value: SQLiteValue) {
      terms.append(term)
      values.append(value)
    }
    func add(_ column: String, in list: [SQLiteValue]) {
      guard !list.isEmpty else { return }
      terms.append("\(column) IN (\(list.map { _ in "?" }.joined(separator: ", ")))")
      values += list
    }
    if let since { add("\(time) >= ?", .text(since.description)) }
    if let until { add("\(time) < ?", .text(until.description)) }
    add("app", in: apps.map(SQLiteValue.text))
    add("uid", in: uids.map { .int($0) })
    add("surface", in: surfaces.map(SQLiteValue.text))
    add("kind", in: kinds.map { .text($0.rawValue) })
    add("sheet", in: sheets.map(SQLiteValue.text))
    add("outcome", in: outcomes.map { .text($0.rawValue) })
    add("reason", in: reasons.map(SQLiteValue.text))
    if let search, !search.isEmpty {
      let pattern = SQLiteValue.text("%\(Self.escapedForLike(search))%")
      let columns = ["title", "message", "sheet"].map { "\($0) LIKE ? ESCAPE '\\'" }
      terms.append("(\((columns + [Self.answerMatches]).joined(separator: " OR ")))")
      values += Array(repeating: pattern, count: columns.count + 1)
    }
    if let cursor { add(order == .newestFirst ? "\(number) < ?" : "\(number) > ?", .integer(cursor)) }
    if let through { add("\(number) <= ?", .integer(through)) }
    return (terms.isEmpty ? "1" : terms.joined(separator: " AND "), values)
  }

  /// How a page is put in order.
  func ordering(by number: String) -> String { "\(number) \(order == .newestFirst ? "DESC" : "ASC")" }

  /// Whether a text or a number of what a person answered, or a presenter said, is like a pattern. The JSON around them is
  /// passed over: its words would match every row.
  private static let answerMatches = """
    outcome IN ('answered', 'failed') AND EXISTS (
      SELECT 1 FROM json_tree(result) AS leaf
      WHERE leaf.type IN ('text', 'integer', 'real') AND leaf.fullkey <> '$.type' AND leaf.atom LIKE ? ESCAPE '\\')
    """

  /// A text that LIKE takes as it is. By code point, as SQLite matches: a combining mark after a `%` would hide it.
  private static func escapedForLike(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if "%_\\".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
  }
}
