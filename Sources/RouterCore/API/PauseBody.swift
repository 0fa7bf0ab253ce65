/// The body that pauses a session.
package struct PauseBody: Sendable, Hashable {
  package var duration: Duration

  package init(duration: Duration) { self.duration = duration }
}

extension PauseBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    duration = try f("for", \.duration, "", ["type": "number", "minimum": 10, "maximum": 86400], advice: "give the seconds")
  }
}
