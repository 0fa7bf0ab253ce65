extension Verbs {
  /// Withdraws or defers a presentation for a while. It keeps its queue position, and its `timeout` keeps running.
  package struct Snooze: Verb {
    package static let name = "snooze"
    package static let guarded = Guarded.dismissal
    /// The allowed duration of a snooze.
    package static let times = Duration.seconds(10)...Duration.seconds(86_400)

    package var duration: Duration

    package init(for duration: Duration) { self.duration = duration }

    package init(_ f: inout Fields<Self>) throws(JSONError) { duration = try f.time(\.duration) }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      if entry.isShown { try surfaces.checkShown(change) }
      try Self.check(duration)
      if let left = entry.timeLeft(at: surfaces.now.boot), left <= duration {
        throw .answerDoesNotFit(JSONError("must end before the prompt expires, in \(left.wholeSeconds) s", at: "/for"))
      }
      let until = surfaces.now.wall.advanced(by: duration)
      if entry.isShown {
        surfaces.takeDown(entry, until: until, by: change.by)
      } else {
        surfaces.record(.deferred(Event.Deferred(until: until, by: change.by)), of: change.id)
      }
    }

    static func check(_ duration: Duration) throws(PresentationRejection) {
      guard !times.contains(duration) else { return }
      throw .answerDoesNotFit(JSONError("must be from 10 seconds to 24 hours", at: "/for"))
    }
  }
}

extension Fields {
  static var timeSchema: JSONValue { ["type": "number", "minimum": 10, "maximum": 86400] }

  /// Takes the member with the duration.
  mutating func time(_ get: (Value) -> Duration) throws(JSONError) -> Duration {
    try self("for", get, "Seconds.", Self.timeSchema, advice: "give the seconds")
  }
}
