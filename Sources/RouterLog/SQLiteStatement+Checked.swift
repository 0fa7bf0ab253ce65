import RouterCore

extension SQLiteStatement {
  /// The accepted range of numbers, small enough for arithmetic without overflow.
  static let counts = 0...JSONValue.largestInteger

  /// Reads an integer and checks its range, since the file may be damaged.
  func checked(_ column: Int32, _ name: String, in range: ClosedRange<Int> = counts) throws(JSONError) -> Int {
    let number = integer(column)
    guard let number = Int(exactly: number), range.contains(number) else {
      throw JSONError("the column \(name) is out of range: \(number)")
    }
    return number
  }
}

extension JSONValue {
  init(stored text: String) throws(JSONError) {
    try self.init(parsing: text, maximumDepth: Self.maximumWrappedDepth)
  }
}
