extension Verbs {
  /// The requester of a held presentation has reconnected.
  package struct Claim: Verb {
    package static let name = "claim"
    package static let guarded = Guarded.connection
    package static let isRepeatable = false
    package static let call: VerbCall? = nil

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      surfaces.release(change.id)
    }
  }
}
