/// The body of a presenter's `snooze`.
package struct SnoozeBody: Sendable, Hashable {
  package var duration: Duration
  /// The showing that the person saw (default: the current one).
  package var generation: Int?

  package init(duration: Duration, generation: Int? = nil) { (self.duration, self.generation) = (duration, generation) }
}

extension SnoozeBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    duration = try f(
      "for", \.duration, "Seconds.", ["type": "number", "minimum": 10, "maximum": 86400], advice: "give the seconds")
    generation = try f("generation", \.generation, "", .schema("Generation"))
  }
}
