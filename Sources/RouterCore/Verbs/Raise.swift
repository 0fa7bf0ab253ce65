extension Verbs {
  /// Shows a waiting presentation in place of the current stack, which returns to the head of the queue.
  package struct Raise: Verb {
    package static let name = "raise"
    package static let guarded = Guarded.answer
    package static let countsAsAttachment = true
    package static let repetition = Repetition.always

    package init() {}

    package init(_ f: inout Fields<Self>) throws(JSONError) {}

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      if entry.isCovered { throw .covered }
      if entry.isShown { return }
      guard entry.request.over == nil, entry.heldUntil == nil, !surfaces.isSuspended else { throw .cannotRaise }
      guard surfaces.mayBeShown(entry) else { throw .noPresenter }
      surfaces.withdrawStack(.raised, by: change.by)
      surfaces.show(entry)
    }
  }
}
