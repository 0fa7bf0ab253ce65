#if PostgreSQL
import CPostgreSQL
import Glibc
import Router

/// A connection to PostgreSQL, used by one thread at a time. Calls block, but never longer than the timeout.
final class PostgreSQLConnection {
  private let connection: OpaquePointer
  private let timeout: Duration
  /// The names of the prepared statements. All statements are constants, so there are few.
  private var statements: [String: String] = [:]

  /// Connects.
  ///
  /// - Parameters:
  ///   - url: A connection string or URI (libpq, section 34.1.1). Its settings override the defaults here.
  ///   - timeout: The maximum time for a reply before the connection counts as lost.
  init(_ url: String, timeout: Duration) throws(PostgreSQLError) {
    let milliseconds = timeout.components.seconds * 1000
    let settings = [
      ("application_name", "routerd"), ("client_encoding", "UTF8"), ("connect_timeout", "3"),
      ("tcp_user_timeout", "\(milliseconds)"), ("keepalives_idle", "2"), ("keepalives_interval", "1"),
      ("keepalives_count", "3"), ("options", Self.options), ("dbname", url),
    ]
    // libpq's own message would quote the string, including its password.
    guard ConnectionString(url) != nil else {
      throw PostgreSQLError(code: nil, message: "shared.database is not a connection string or URI of libpq")
    }
    var names = settings.map { strdup($0.0).map { UnsafePointer($0) } } + [nil]
    var values = settings.map { strdup($0.1).map { UnsafePointer($0) } } + [nil]
    defer {
      for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) }
    }
    guard let connection = PQconnectdbParams(&names, &values, 1) else {
      throw PostgreSQLError(code: nil, message: "out of memory")
    }
    guard PQstatus(connection) == CONNECTION_OK else {
      let message = Self.message(connection)
      PQfinish(connection)
      throw PostgreSQLError(code: nil, message: message)
    }
    // Keeps notices out of this program's standard error.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    self.connection = connection
    self.timeout = timeout
  }

  /// The session's settings. They let the server detect unreachable hosts, so that stale sessions do not use up the connection
  /// limit.
  private static let options =
    "-c search_path=pg_catalog,pg_temp -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"

  deinit { PQfinish(connection) }

  /// The socket, to wait for notifications.
  var descriptor: CInt { PQsocket(connection) }

  /// Executes a statement in its own transaction. Values and columns are in text format.
  @discardableResult
  func query(_ sql: String, _ values: [String?] = []) throws(PostgreSQLError) -> [[String?]] {
    var pointers = values.map { $0.flatMap { strdup($0) }.map { UnsafePointer($0) } }
    defer {
      for pointer in pointers { free(UnsafeMutableRawPointer(mutating: pointer)) }
    }
    let name = statements[sql] ?? "\(statements.count)"
    if statements[sql] == nil {
      PQclear(try result(of: PQsendPrepare(connection, name, sql, 0, nil)))
      statements[sql] = name
    }
    let result = try result(of: PQsendQueryPrepared(connection, name, CInt(values.count), &pointers, nil, nil, 0))
    defer { PQclear(result) }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil
          : String(
            decoding: UnsafeRawBufferPointer(
              start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))), as: UTF8.self)
      }
    }
  }

  /// Returns the result of the sent statement. The caller must clear it.
  private func result(of isSent: CInt) throws(PostgreSQLError) -> OpaquePointer? {
    guard isSent == 1 else { throw PostgreSQLError(code: nil, message: Self.message(connection)) }
    var result: OpaquePointer?
    do {
      // The server commits after sending the result of a statement, and reports readiness afterward. A server that stops in
      // between has sent the result without committing.
      repeat {
        try waitForResult()
        guard let next = PQgetResult(connection) else { break }
        PQclear(result)
        result = next
      } while true
    } catch {
      PQclear(result)
      throw error
    }
    let status = PQresultStatus(result)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      defer { PQclear(result) }
      let isLost = PQstatus(connection) == CONNECTION_BAD
      // Only the primary message, since the detail can contain values.
      let message = PQresultErrorField(result, 77).map { String(cString: $0) } ?? Self.message(connection)
      let code = PQresultErrorField(result, 67).map { String(cString: $0) }
      throw PostgreSQLError(code: isLost ? nil : code, message: message)
    }
    return result
  }

  /// Waits until `PQgetResult` does not block. After a timeout, the connection must not be used again.
  private func waitForResult() throws(PostgreSQLError) {
    let end = PresentationClock.system.now() + timeout
    while true {
      let unsent = PQflush(connection)
      guard unsent >= 0 else { throw PostgreSQLError(code: nil, message: Self.message(connection)) }
      if unsent == 0, PQisBusy(connection) == 0 { return }
      let left = end - PresentationClock.system.now()
      guard left > .zero else { throw PostgreSQLError(code: nil, message: "no reply within \(timeout)") }
      var descriptor = pollfd(fd: descriptor, events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0)
      poll(&descriptor, 1, CInt(clamping: left.milliseconds + 1))
      guard PQconsumeInput(connection) == 1 else {
        throw PostgreSQLError(code: nil, message: Self.message(connection))
      }
    }
  }

  /// Returns the payloads of the notifications received so far.
  func notifications() throws(PostgreSQLError) -> [String] {
    guard PQconsumeInput(connection) == 1 else { throw PostgreSQLError(code: nil, message: Self.message(connection)) }
    var payloads: [String] = []
    while let notification = PQnotifies(connection) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  // MARK: Without waiting

  /// Starts a query. ``finishQuery()`` returns its result.
  func start(_ sql: String, _ value: String) throws(PostgreSQLError) {
    guard PQsetnonblocking(connection, 1) == 0 else { throw PostgreSQLError(code: nil, message: Self.message(connection)) }
    let text = strdup(value)
    defer { free(text) }
    var pointer = UnsafePointer(text)
    guard PQsendQueryParams(connection, sql, 1, nil, &pointer, nil, nil, 0) == 1 else {
      throw PostgreSQLError(code: nil, message: Self.message(connection))
    }
    _ = try finishQuery()
  }

  /// Sends the rest of a query and checks for its result. Returns `nil` while there is none, otherwise whether the query
  /// succeeded.
  func finishQuery() throws(PostgreSQLError) -> Bool? {
    guard PQflush(connection) >= 0, PQconsumeInput(connection) == 1 else {
      throw PostgreSQLError(code: nil, message: Self.message(connection))
    }
    var hasSucceeded = true
    while PQisBusy(connection) == 0 {
      guard let result = PQgetResult(connection) else { return hasSucceeded }
      if PQresultStatus(result) == PGRES_FATAL_ERROR { hasSucceeded = false }
      PQclear(result)
    }
    return nil
  }

  private static func message(_ connection: OpaquePointer) -> String {
    String(cString: PQerrorMessage(connection)).split(at: "\n").first.map(String.init) ?? "the connection was lost"
  }
}

extension [String?] {
  /// The literal of an array (PostgreSQL, section 8.15.2).
  var arrayLiteral: String {
    var bytes = [UInt8]("{".utf8)
    for (index, element) in enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard let element else {
        bytes += "NULL".utf8
        continue
      }
      bytes.append(UInt8(ascii: "\""))
      for byte in element.utf8 {
        if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "}"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The literal of a `bytea`.
  var byteLiteral: String { "\\x" + hexadecimal }

  /// Parses PostgreSQL's text of a `bytea`; `nil` if it is invalid.
  init?(byteLiteral text: String) {
    guard text.begins(with: "\\x") else { return nil }
    self.init(hexadecimal: text.dropFirst(2))
  }
}
#endif
