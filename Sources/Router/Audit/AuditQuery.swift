/// Which presentations of the log are wanted. Filters combine; an empty list filters nothing.
public struct AuditQuery: Sendable, Hashable {
  /// Asked for at or after.
  public var since: Timestamp?
  /// Asked for before.
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
  public var limit = 100
  /// Where the page before ended.
  public var cursor: Int64?

  public init() {}

  /// The condition and its values.
  var condition: (sql: String, values: [SQLiteValue]) {
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
    if let since { add("requested_at >= ?", .text(since.description)) }
    if let until { add("requested_at < ?", .text(until.description)) }
    add("app", in: apps.map(SQLiteValue.text))
    add("uid", in: uids.map { .int($0) })
    add("surface", in: surfaces.map(SQLiteValue.text))
    add("kind", in: kinds.map { .text($0.rawValue) })
    add("sheet", in: sheets.map(SQLiteValue.text))
    add("outcome", in: outcomes.map { .text($0.rawValue) })
    add("reason", in: reasons.map(SQLiteValue.text))
    if let search {
      let escaped = search.reduce(into: "") { $0 += "%_\\".contains($1) ? "\\\($1)" : String($1) }
      let columns = ["title", "message", "sheet", "result"]
      terms.append("(" + columns.map { "\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")")
      values += columns.map { _ in .text("%\(escaped)%") }
    }
    if let cursor { add("number < ?", .integer(cursor)) }
    return (terms.isEmpty ? "1" : terms.joined(separator: " AND "), values)
  }
}
