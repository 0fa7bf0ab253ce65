/// The body that pauses a session.
package struct PauseBody: Sendable, Hashable {
  package var duration: Duration

  package init(duration: Duration) { self.duration = duration }

  package var jsonText: JSONText { JSONText { $0.add("for", .seconds(duration)) } }

  package init(json: JSONValue) throws(JSONError) {
    var reader = try JSONObjectReader(json)
    guard let duration = try reader.seconds("for") else { throw reader.error("is missing: give the seconds", at: "for") }
    self.duration = duration
    try reader.finish()
  }
}
