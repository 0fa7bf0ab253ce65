package import RouterCore

/// The body of `POST /v1/log/prune`, with the time before which to prune.
package struct PruneBody: Sendable, Hashable {
  package var before: Timestamp
  /// The shared surface with the log to prune; `nil` for the machine's own log.
  package var surface: String?

  package init(before: Timestamp, surface: String? = nil) {
    self.before = before
    self.surface = surface
  }
}

extension PruneBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    before = try f("before", \.before, "At least a day ago.")
    surface = try f(
      "surface", \.surface, "A shared surface that this host leads: prunes its log instead of this machine's.", .schema("Name"))
  }
}

/// The response of `POST /v1/log/prune`.
extension AuditLog.Pruning: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    let seq = try f(orNull: "through", { $0.anchor.map { Int($0.seq) } }, "The last removed event.")
    let hash = try f(orNull: "hash", { $0.anchor.map { Hexadecimal($0.hash) } }, "Its hash.", .sha256)
    anchor = if let seq, let hash { AuditHead(seq: Int64(seq), hash: hash.bytes) } else { nil }
    events = try f("events", ifAbsent: 0, \.events)
  }
}
