/// An actor that owns a connection and runs on a thread of its own, so that SQLite's blocking calls never hold up the
/// cooperative pool.
protocol SQLiteOwner: Actor {
  var connection: SQLiteConnection { get }
}

extension SQLiteOwner {
  /// Closes the connection, after what was begun before.
  func close() { connection.close() }

  /// Runs a body with the connection.
  func perform<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
    try body(connection)
  }
}
