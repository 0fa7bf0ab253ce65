#if PostgreSQL
/// An error of PostgreSQL or of the connection to it. Never contains a query's values.
package struct PostgreSQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The five-character error code (PostgreSQL, appendix A); `nil` if the connection was lost.
  package let code: String?
  package let message: String

  /// Whether the connection was lost, so that a statement may or may not have been executed.
  package var isDisconnection: Bool {
    // 57P01, 57P02 and 57P03: the server is shutting down or starting; 08: connection exceptions.
    guard let code else { return true }
    return code.hasPrefix("57P") || code.hasPrefix("08")
  }

  package var description: String { "PostgreSQL: \(message)\(code.map { " (\($0))" } ?? "")" }
}
#endif
