extension Verbs {
  /// Ends a snooze early.
  package struct Wake: Verb {
    package static let name = "wake"
    package static let guarded = Guarded.answer
    package static let call: VerbCall? = .delete("snooze")
    package static let repetition = Repetition.always

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      if entry.isSnoozed { surfaces.record(.woken(Event.Woken(by: change.by)), of: change.id) }
    }
  }
}
