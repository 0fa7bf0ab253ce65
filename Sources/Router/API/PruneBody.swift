/// The body of `POST /v1/log/prune`: what ended before that time may go.
public struct PruneBody: Sendable, Hashable {
  public var before: Timestamp

  public init(before: Timestamp) {
    self.before = before
  }

  /// Reads ``json``.
  public init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    guard let before = try reader.timestamp("before") else { throw reader.error("is missing", at: "before") }
    self.before = before
    try reader.finish()
  }

  public var json: JSONValue { ["before": .string(before.description)] }
}

extension AuditPruning {
  /// What `POST /v1/log/prune` answers.
  public var json: JSONValue {
    [
      "through": anchor.map { .integer(Int($0.seq)) } ?? .null, "hash": anchor.map { .string($0.hash.hexadecimal) } ?? .null,
      "events": .integer(events), "keeper": keeper?.json ?? .null,
    ]
  }

  /// Reads ``json``.
  public init(json: JSONValue) throws(JSONError) {
    var anchor: AuditHead?
    if let seq = json["through"]?.number?.integer, let hash = json["hash"]?.string { anchor = AuditHead("\(hash)@\(seq)") }
    var keeper: Presentation?
    if let json = json["keeper"], json != .null { keeper = try Presentation(json: json) }
    self.init(anchor: anchor, events: json["events"]?.number?.integer ?? 0, keeper: keeper)
  }
}
