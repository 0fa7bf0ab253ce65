package import RouterCore

/// The body of `POST /v1/log/prune`, with the time before which to prune.
package struct PruneBody: Sendable, Hashable {
  package var before: Timestamp
  /// The shared surface whose log to prune; `nil` for the machine's own.
  package var surface: String?

  package init(before: Timestamp, surface: String? = nil) {
    self.before = before
    self.surface = surface
  }
}

extension PruneBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    before = try f("before", \.before)
    surface = try f("surface", \.surface)
  }
}

/// The response of `POST /v1/log/prune`.
extension AuditLog.Pruning: JSONObject {
  package func addMembers(to writer: inout JSONWriter) {
    writer.add("through", anchor.map { .integer(Int($0.seq)) } ?? .null)
    writer.add("hash", optional: anchor?.hash.hexadecimal)
    writer.add("events", events)
  }

  package init(json: JSONValue) {
    var anchor: AuditHead?
    if let seq = json["through"]?.number?.integer, let hash = json["hash"]?.string { anchor = AuditHead("\(hash)@\(seq)") }
    self.init(anchor: anchor, events: json["events"]?.number?.integer ?? 0)
  }
}
