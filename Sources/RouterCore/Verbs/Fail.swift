import OrderedCollections

extension Verbs {
  /// A presenter failed to show a presentation, which is withdrawn from that presenter. The presentation ends as failed if no
  /// other presenter may show it, or if the presenter is unknown.
  package struct Fail: Verb {
    package static let name = "fail"
    package static let guarded = Guarded.answer
    package static let repetition = Repetition.ofShowing

    package var detail: String

    package init(_ detail: String) { self.detail = detail }

    package init(_ f: inout Fields<Self>) throws(JSONError) {
      detail = try f("detail", ifAbsent: "the presenter cannot show it", \.detail, "", .schema("Message"))
    }

    package func checkTexts() throws(JSONError) { try TextRule.value.check(detail, at: "/detail") }

    package func leads(to outcome: PresentationOutcome) -> Bool { outcome == .failed(detail) }

    package func decide(
      _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
    ) throws(PresentationRejection) {
      try surfaces.checkShown(change)
      let (presentation, presenters) = (entry.presentation, surfaces.presenters.values)
      guard let by = change.by, let own = presenters.first(where: { $0.isFor(change.id) && $0.isSame(as: by) }),
        presenters.contains(where: { $0.mayShow(presentation) && !$0.isSame(as: by) })
      else { return surfaces.resolve(change.id, .failed(detail), by: change.by) }
      // The report was repeated after a lost reply.
      guard own.mayShow(presentation) else { return }
      let failure = Event.PresenterFailed(by: by, generation: presentation.generation, detail: detail)
      surfaces.record(.presenterFailed(failure), of: change.id)
    }
  }
}
