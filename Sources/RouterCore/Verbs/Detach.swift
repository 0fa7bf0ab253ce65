extension Verbs {
  /// Detaches a request from its connection, so that it survives a disconnect.
  package struct Detach: Verb {
    package static let name = "detach"
    package static let guarded = Guarded.connection
    package static let isRepeatable = false
    package static let call: VerbCall? = nil

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      try entry.request.checkDetachable()
      if entry.presentation.attached { surfaces.record(.detached, of: change.id) }
    }
  }
}

extension PresentationRequest {
  func checkDetachable() throws(PresentationRejection) {
    if self.sensitive { throw .sensitiveDetached }
    if self.flow { throw .flowDetached }
  }
}
