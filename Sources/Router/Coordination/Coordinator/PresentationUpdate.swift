/// The requester's end of a request. The coordinator calls it on its executor. Calls must return at once, without calling back.
package protocol PresentationAsker: AnyObject, Sendable {
  /// Whether it wants to hear its queue position, at most once a second.
  var followsPosition: Bool { get }

  func accept(_ presentation: Presentation)

  func tell(_ update: PresentationUpdate)

  /// Ends the request: its presentation has ended, or it was refused. The last call. Returns whether the outcome has reached
  /// the requester; an asker that passes it on calls ``PresentationCoordinator/delivered(_:)`` itself.
  func end(_ result: Result<Presentation, RouterError>) -> Bool
}

/// What becomes of a presentation before it ends.
package enum PresentationUpdate: Sendable, Hashable {
  /// It is on record and queued, or its queue position has changed.
  case queued(PresentationID, position: Int)
  case presented(PresentationID, generation: Int)
  /// It is part of a flow, was answered on that showing, and stays. A sensitive answer is included.
  case answered(PresentationID, generation: Int, PresentationAnswer)
}
