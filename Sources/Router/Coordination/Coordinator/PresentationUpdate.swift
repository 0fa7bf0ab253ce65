/// The requester's side of a request. Called on the coordinator's executor. Calls must return at once and must not call
/// back.
package protocol PresentationAsker: AnyObject, Sendable {
  /// Whether to report its queue position, at most once a second.
  var followsPosition: Bool { get }

  func accept(_ presentation: Presentation)

  func tell(_ update: PresentationUpdate)

  /// Ends the request, because its presentation has ended or it was refused. This is the last call. Returns whether the
  /// outcome was delivered; an asker that forwards it calls ``PresentationCoordinator/delivered(_:)`` later.
  func end(_ result: Result<Presentation, RouterError>) -> Bool
}

/// The progress of an open presentation.
package enum PresentationUpdate: Sendable, Hashable {
  /// It is recorded and queued, or its queue position has changed.
  case queued(PresentationID, position: Int)
  case presented(PresentationID, generation: Int)
  /// A flow's presentation was answered, and stays open. Includes sensitive answers.
  case answered(PresentationID, generation: Int, PresentationAnswer)
  /// One of several people has given an answer: how many have, and how many must.
  case approved(PresentationID, have: Int, need: Int)
}
