extension Verbs {
  /// Pauses the session of a presentation: its open prompts, and its prompts until the end of the pause, wait.
  package struct PauseSession: Verb {
    package static let name = "pauseSession"
    package static let guarded = Guarded.dismissal
    package static let call: VerbCall? = .post("pause")

    package var duration: Duration

    package init(for duration: Duration) { self.duration = duration }

    package init(_ f: inout Fields<Self>) throws(JSONError) { duration = try f.time(\.duration) }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      guard let by = change.by else { throw .notOpen }
      try Snooze.check(duration)
      let pause = SessionPause(entry.presentation, until: surfaces.now.wall.advanced(by: duration), by: by)
      surfaces.record(.paused(pause), of: change.id)
      let shown = surfaces.open.stack.compactMap { surfaces.open[$0] }
      if let level = shown.firstIndex(where: { pause.concerns($0.presentation) }) {
        for entry in shown[level...].reversed() {
          surfaces.takeDown(entry, until: pause.concerns(entry.presentation) ? pause.until : nil, by: by)
        }
      }
      for id in surfaces.open.ordered { surfaces.postpone(id, during: pause) }
    }
  }
}
