import RouterCore

/// The beginning or end of ids to find in the log.
struct IDPart: Sendable {
  /// The number of presentations that one query by end reads.
  static let rangeLength: Int64 = 10_000

  /// Matches the order of the primary key's index.
  static let beginning = "SELECT id FROM presentations WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3"
  static let end = "SELECT id FROM presentations WHERE number BETWEEN ?1 AND ?2 AND substr(id, ?3) = ?4 ORDER BY number DESC"

  private let text: String

  init(_ text: String) { self.text = text.lowercased() }

  func idsBeginning(_ connection: SQLiteConnection, limit: Int) throws -> [PresentationID] {
    // No character of an id comes after "f".
    try ids(connection, Self.beginning, [.text(text), .text(text + "g"), .int(limit)])
  }

  func idsEnding(_ connection: SQLiteConnection, in numbers: ClosedRange<Int64>) throws -> [PresentationID] {
    try ids(
      connection, Self.end,
      [.integer(numbers.lowerBound), .integer(numbers.upperBound), .int(-text.unicodeScalars.count), .text(text)])
  }

  private func ids(_ connection: SQLiteConnection, _ sql: String, _ values: [SQLiteValue]) throws -> [PresentationID] {
    try connection.rows(sql, values) { $0.text(0).flatMap(PresentationID.init) }.compactMap(\.self)
  }
}
