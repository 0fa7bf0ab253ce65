extension Verbs {
  /// Closes a shown presentation without an answer, unless its request forbids it.
  package struct Dismiss: Verb {
    package static let name = "dismiss"
    package static let guarded = Guarded.dismissal
    package static let isRepeatable = false
    package static let repetition = Repetition.ofShowing

    private var extra: AnswerExtra
    package var comment: String? { extra.comment }

    package init(comment: String? = nil) { extra = AnswerExtra(comment: comment) }

    package init(_ f: inout Fields<Self>) throws(JSONError) {
      self.init(comment: try f("comment", \.extra.comment, "", .schema("Comment")))
    }

    package func checkTexts() throws(JSONError) { try extra.checkText() }

    package func leads(to outcome: PresentationOutcome) -> Bool { outcome == .dismissed }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      try surfaces.checkShown(change)
      if entry.request.dismissDisabled { throw .dismissDisabled }
      do { try entry.request.check(extra) } catch { throw .answerDoesNotFit(error) }
      surfaces.resolve(change.id, .dismissed, extra, by: change.by)
    }
  }
}
