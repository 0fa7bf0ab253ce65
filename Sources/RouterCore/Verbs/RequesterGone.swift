extension Verbs {
  /// The last waiting requester has disconnected. Ends the presentation if it is attached.
  package struct RequesterGone: Verb {
    package static let name = "requesterGone"
    package static let guarded = Guarded.connection
    package static let isRepeatable = false
    package static let call: VerbCall? = nil

    package var reason: PresentationOutcome.CancellationReason

    package init(_ reason: PresentationOutcome.CancellationReason) { self.reason = reason }

    package init(_ f: inout Fields<Self>) throws(JSONError) { reason = try f("reason", \.reason) }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      if entry.presentation.attached { surfaces.resolve(change.id, .cancelled(reason), by: nil) }
    }
  }
}
