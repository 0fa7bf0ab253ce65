import FoundationEssentials
import Glibc
import Router

/// The record of a shared surface in PostgreSQL, copied into a separate log. psql(1) reads it, so that this program needs
/// no driver.
enum SharedRecord {
  private static let copies = Mutex<[String: String]>([:])

  /// Copies the record, checking its hash chain.
  ///
  /// - Parameter url: The connection URI of the database.
  /// - Returns: The path of the copy, which is removed when the program exits.
  static func copy(of surface: String, from url: String) throws -> String {
    try copies.withLock { copies in
      if let path = copies[url + "\n" + surface] { return path }
      let directory = try TemporaryDirectory(prefix: "routerctl-log")
      AtExit.remove(directory.path)
      let path = directory.path + "/\(surface.replacing("/", with: "_")).db"
      try copy(surface, url, to: path)
      copies[url + "\n" + surface] = path
      return path
    }
  }

  private static func copy(_ surface: String, _ url: String, to path: String) throws {
    let log = try AuditLog(path: path, durability: .relaxed)
    let name = "'\(surface.replacing("'", with: "''"))'"
    let pruned = try rows(
      "SELECT json_build_array(at, detail) FROM router.events WHERE surface = \(name) AND type = 'pruned' ORDER BY seq DESC LIMIT 1",
      url)
    var start: Event.Pruned?
    if let row = pruned.first?.array, let at = row[0].string.flatMap({ Timestamp($0) }), let text = row[1].string {
      let detail = try JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth)
      if case .pruned(let pruned) = try Event(at: at, kind: .pruned, presentation: nil, detail: detail).detail {
        start = pruned
      }
    }
    while true {
      let last = log.head.seq
      let records = try rows(
        """
        SELECT json_build_array(seq, at, type, presentation, detail, encode(hash, 'hex')) FROM router.events \
        WHERE surface = \(name) AND seq > \(last) ORDER BY seq LIMIT 10000
        """, url
      ).compactMap { AuditRecord(json: $0) }
      guard let first = records.first else { break }
      _ = try log.copy(records, after: first.seq > 1 && last == 0 ? start : nil)
    }
    guard log.head.seq > 0 else {
      throw RouterError(.notFound, "cannot read the log: \(ConnectionString.withoutSecrets(url)) has no surface \(surface)")
    }
  }

  /// Runs a query whose rows are JSON values without line breaks.
  private static func rows(_ query: String, _ url: String) throws -> [JSONValue] {
    guard let place = ConnectionString(url), place.secrets.keys.allSatisfy({ $0 == "password" }) else {
      throw RouterError(.invalid, "cannot read the database: its URI is wrong, or has a secret besides the password")
    }
    // Other users can read arguments.
    var environment = ProcessInfo.processInfo.environment
    if let password = place.secrets["password"] { environment["PGPASSWORD"] = password }
    let url = place.withoutSecrets
    let output = try Pipe()
    let child: ChildProcess
    do {
      defer { close(output.writeEnd) }
      child = try ChildProcess(
        "/usr/bin/env", ["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", query],
        descriptors: (input: STDIN_FILENO, output: output.writeEnd, error: STDERR_FILENO), environment: environment)
    }
    let text = output.readAll(keeping: Int(Int32.max))
    let status = child.wait()
    if status == 127 {
      throw RouterError(.unreachable, "cannot read \(url): psql is not installed (package postgresql-client)")
    }
    guard status == 0 else { throw RouterError(.unreachable, "cannot read \(url): psql ended with \(status)") }
    return try text.split(separator: UInt8(ascii: "\n")).map {
      try JSONValue(parsing: Array($0), maximumDepth: JSONValue.maximumWrappedDepth)
    }
  }
}

extension AuditRecord {
  fileprivate init?(json: JSONValue) {
    guard let row = json.array, row.count == 6, let seq = row[0].number?.integer, let at = row[1].string,
      let type = row[2].string, let detail = row[4].string, let hash = row[5].string.flatMap([UInt8].init(hexadecimal:))
    else { return nil }
    self.init(seq: Int64(seq), at: at, type: type, presentation: row[3].string, detail: detail, hash: hash)
  }
}

/// Directories to remove when the program exits.
private enum AtExit {
  private static let paths = Mutex<[String]>([])

  static func remove(_ path: String) {
    let isFirst = paths.withLock { paths in
      paths.append(path)
      return paths.count == 1
    }
    guard isFirst else { return }
    atexit {
      for path in AtExit.paths.withLock(\.self) { try? FileManager.default.removeItem(atPath: path) }
    }
  }
}
