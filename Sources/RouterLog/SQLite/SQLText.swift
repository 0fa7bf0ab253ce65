/// An SQL fragment with the values of its placeholders, in order.
struct SQLText: Sendable, Hashable {
  var text: String
  var values: [SQLiteValue]

  init(_ text: String, _ values: [SQLiteValue] = []) {
    self.text = text
    self.values = values
  }

  init(_ pieces: [SQLText], separator: String) {
    text = pieces.map(\.text).joined(separator: separator)
    values = pieces.flatMap(\.values)
  }

  /// Joins conditions with AND; matches everything if there are none.
  init(conjunction terms: [SQLText]) {
    self.init(terms.isEmpty ? [SQLText("1")] : terms, separator: " AND ")
  }

  static func + (left: SQLText, right: SQLText) -> SQLText {
    SQLText(left.text + right.text, left.values + right.values)
  }

  static func + (left: SQLText, right: String) -> SQLText { SQLText(left.text + right, left.values) }
}

extension SQLiteConnection {
  func rows<Row>(_ sql: SQLText, _ body: (SQLiteStatement) throws -> Row) throws -> [Row] {
    try rows(sql.text, sql.values, body)
  }

  func integer(_ sql: SQLText) throws -> Int64 { try integer(sql.text, sql.values) }
}
