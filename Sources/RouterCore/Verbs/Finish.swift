extension Verbs {
  /// Finishes a flow, or a screen of it, with its last answer, for its owner or an administrator.
  package struct Finish: Verb {
    package static let name = "finish"
    package static let guarded = Guarded.withdrawal
    package static let isRepeatable = false

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      _ = try change.checkOwner(of: entry)
      guard entry.request.flow else { throw .notFlow }
      guard let last = entry.lastAnswer else { throw .notAnswered }
      surfaces.resolve(change.id, .answered(last.content), last.extra, by: last.resolver, finishedBy: change.by)
    }
  }
}
