/// The body of a presenter's `snooze`.
package struct SnoozeBody: Sendable, Hashable {
  package var duration: Duration
  /// The showing that the person saw (default: the current one).
  package var generation: Int?

  package init(duration: Duration, generation: Int? = nil) { (self.duration, self.generation) = (duration, generation) }

  package func addMembers(to writer: inout JSONWriter) {
    writer.add("for", .seconds(duration))
    if let generation { writer.add("generation", generation) }
  }

  package var jsonText: JSONText { JSONText { addMembers(to: &$0) } }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    try self.init(&reader)
    try reader.finish()
  }

  init(_ reader: inout JSONObjectReader) throws(JSONError) {
    guard let duration = try reader.seconds("for") else { throw reader.error("is missing: give the seconds", at: "for") }
    (self.duration, generation) = (duration, try reader.count("generation"))
  }
}
