/// The requester's side of a request. Called on the coordinator's executor. Calls must return immediately, and must not call
/// the coordinator.
package protocol PresentationAsker: AnyObject, Sendable {
  /// Whether to report its queue position, at most once a second.
  var followsPosition: Bool { get }

  func accept(_ presentation: Presentation)

  func tell(_ update: PresentationUpdate)

  /// Ends the request after its presentation has ended or it was refused. This is the last call. Returns whether the outcome
  /// was delivered; a requester that forwards it calls ``PresentationCoordinator/delivered(_:)`` later.
  func end(_ result: Result<Presentation, RouterError>) -> Bool
}

/// The progress of an open presentation.
package enum PresentationUpdate: Sendable, Hashable {
  /// The request was recorded and queued, or its queue position has changed.
  case queued(PresentationID, position: Int)
  case presented(PresentationID, generation: Int)
  /// A presentation of a flow was answered, and stays open. Includes sensitive answers.
  case answered(PresentationID, generation: Int, PresentationAnswer)
  /// One of several approvers has answered: the numbers of approvals so far and needed.
  case approved(PresentationID, have: Int, need: Int)
}
