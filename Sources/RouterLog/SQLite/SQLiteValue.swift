import RouterCore

/// An SQLite value (sqlite.org/datatype3.html); reals are not used.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case json(JSONText)
  case blob([UInt8])

  static func optional(_ text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }
  static func optional(_ json: JSONText?) -> SQLiteValue { json.map(SQLiteValue.json) ?? .null }
  static func int(_ value: some BinaryInteger) -> SQLiteValue { .integer(Int64(value)) }
  static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }

  var byteCount: Int {
    switch self {
    case .null, .integer: 0
    case .text(let text): text.utf8.count
    case .json(let text): text.bytes.count
    case .blob(let bytes): bytes.count
    }
  }
}
