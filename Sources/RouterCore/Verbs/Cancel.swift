extension Verbs {
  /// Cancels a presentation in any state, for its owner or an administrator.
  package struct Cancel: Verb {
    package static let name = "cancel"
    package static let guarded = Guarded.withdrawal
    package static let isRepeatable = false
    package static let call: VerbCall? = .delete(nil)
    package static let repetition = Repetition.always

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func leads(to outcome: PresentationOutcome) -> Bool {
      outcome == .cancelled(.requester) || outcome == .cancelled(.admin)
    }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      let isOwner = try change.checkOwner(of: entry)
      surfaces.resolve(change.id, .cancelled(isOwner ? .requester : .admin), by: change.by)
    }
  }
}
