/// What an asker who wants to follow its request is told, besides its end.
public enum PresentationUpdate: Sendable, Hashable {
  /// It is on record and stands in line. Told again when the position changes, at most once a second.
  case queued(PresentationID, position: Int)
  /// It is before the person.
  case presented(PresentationID, generation: Int)
  /// It is part of a flow, was answered on that showing, and stays. A sensitive answer is told as it is.
  case answered(PresentationID, generation: Int, PresentationAnswer)
  /// It has ended; the last update.
  case resolved(Presentation)
}
