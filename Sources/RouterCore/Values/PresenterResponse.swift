/// The person's response to a presentation.
public enum PresenterResponse: Sendable, Hashable {
  /// An answer, with the state of the ``PresentationRequest/suppressionToggle``.
  case answer(PresentationAnswer, isSuppressed: Bool = false)
  case dismiss
}
