/// The requester's end of a request. The coordinator calls it on its executor; calls must return at once and must not call
/// the coordinator back before they return.
package protocol PresentationAsker: AnyObject, Sendable {
  /// Whether it wants to hear its queue position, at most once a second.
  var followsPosition: Bool { get }

  /// The request is on record.
  func accept(_ presentation: Presentation)

  /// Something happened to the presentation.
  func tell(_ update: PresentationUpdate)

  /// The presentation has ended, or the request was refused. The last call.
  ///
  /// - Returns: Whether the outcome has reached its requester with this call; an asker that takes it further reports
  ///   ``PresentationCoordinator/delivered(_:)`` itself.
  func end(_ result: Result<Presentation, RouterError>) -> Bool
}

/// What becomes of a presentation before it ends.
package enum PresentationUpdate: Sendable, Hashable {
  /// It is on record and queued, or its queue position has changed.
  case queued(PresentationID, position: Int)
  /// It is shown.
  case presented(PresentationID, generation: Int)
  /// It is part of a flow, was answered on that showing, and stays. A sensitive answer is included.
  case answered(PresentationID, generation: Int, PresentationAnswer)
}
