/// The body of `PUT /v1/switch`.
package struct SwitchBody: Sendable, Hashable {
  package var isOff: Bool
  /// How long it stays off; `nil` for the longest time.
  package var duration: Duration?

  package init(isOff: Bool, duration: Duration? = nil) { (self.isOff, self.duration) = (isOff, duration) }
}

extension SwitchBody: Record {
  package init(_ f: inout Fields<Self>) throws(JSONError) {
    isOff = try f("off", \.isOff, "Whether nothing is shown, and front ends act as if Router were not installed.")
    duration = try f("for", \.duration, "Seconds (default: 86400).", Fields<Self>.timeSchema)
  }
}
