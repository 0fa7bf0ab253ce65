import OrderedCollections
package import RouterCore

/// A head of the log, stored where a person with access to the log cannot change it. A line of JSON, at most 200 bytes with a
/// typical host name, without any content of requests.
package struct AuditAnchor: Sendable, Hashable {
  package let head: AuditHead
  /// The time at which the head was read.
  package let at: Timestamp?
  package let host: String?
  /// The shared surface of the log; `nil` for a machine's own.
  package let surface: String?
  /// The first 16 digits of the hash of the log's first event at the time of anchoring.
  package let log: String?

  private static let version = 1

  package init(head: AuditHead, first: [UInt8], host: String?, surface: String?, at: Timestamp) {
    (self.head, self.host, self.surface, self.at) = (head, host, surface, at)
    log = String(first.hexadecimal.prefix(16))
  }

  /// Parses a line. A forwarded event with its hash is also an anchor.
  package init(line: some StringProtocol) throws(JSONError) {
    let json = try JSONValue(parsing: String(line))
    guard json["v"].map({ $0.number?.integer == Self.version }) ?? true else {
      throw JSONError("it is an anchor of another version")
    }
    guard let seq = json["seq"]?.number?.integer, let hash = json["hash"]?.string, let head = AuditHead("\(hash)@\(seq)") else {
      throw JSONError("it is not an anchor: expected \"seq\" and \"hash\"")
    }
    self.head = head
    at = json["at"]?.string.flatMap { Timestamp($0) }
    (host, surface, log) = (json["host"]?.string, json["surface"]?.string, json["log"]?.string)
  }

  package var line: String {
    var members: OrderedDictionary<String, JSONValue> = ["v": .integer(Self.version)]
    members["log"] = log.map { .string($0) }
    members["host"] = host.map { .string($0) }
    members["surface"] = surface.map { .string($0) }
    members["seq"] = .integer(Int(head.seq))
    members["hash"] = .string(head.hash.hexadecimal)
    members["at"] = at.map { .string($0.description) }
    return JSONValue.object(members).description
  }
}

extension AuditReader {
  /// Returns an anchor of the newest event.
  package func anchor(host: String?, surface: String?, at: Timestamp) async throws -> AuditAnchor {
    try await read(rows: .unused) { connection in
      try connection.transaction("BEGIN") {
        let first = try connection.rows("SELECT hash FROM events ORDER BY seq LIMIT 1") { $0.blob(0) }.first
        return AuditAnchor(
          head: try AuditHead(connection), first: first ?? AuditHead().hash, host: host, surface: surface, at: at)
      }
    }
  }
}
