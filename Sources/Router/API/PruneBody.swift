/// The body of `POST /v1/log/prune`: what happened before that time is pruned.
public struct PruneBody: Sendable, Hashable, JSONObject {
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

  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("before", before.description)
  }
}

extension AuditPruning: JSONObject {
  /// What `POST /v1/log/prune` answers.
  public var json: JSONValue { jsonText.value }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("through", anchor.map { .integer(Int($0.seq)) } ?? .null)
    writer.add("hash", optional: anchor?.hash.hexadecimal)
    writer.add("events", events)
  }

  /// Reads ``json``.
  public init(json: JSONValue) {
    var anchor: AuditHead?
    if let seq = json["through"]?.number?.integer, let hash = json["hash"]?.string { anchor = AuditHead("\(hash)@\(seq)") }
    self.init(anchor: anchor, events: json["events"]?.number?.integer ?? 0)
  }
}
