/// What a decision changed. The log records each, and the coordinator carries it out once it is recorded.
public enum PresentationChange: Sendable, Hashable {
  /// It was accepted and stands in line at `place`.
  case requested(PresentationID, place: PresentationPlace)
  /// It is on top of its surface now. `level` is 0 for the bottom of the stack.
  case presented(PresentationID, generation: Int, level: Int)
  /// It is not on top any more, and has not ended. `place` is where it stands in line, unless it is only covered.
  case withdrawn(PresentationID, generation: Int, reason: WithdrawalReason, place: PresentationPlace?)
  /// What is part of a flow was answered, on that showing, and stays. It is before the person again with the next
  /// ``presented(_:generation:level:)``.
  case answered(PresentationID, PresentationAnswer, by: Resolver?, generation: Int)
  /// It has ended. `generation` is the showing that ended with it; `nil` if it was not on top.
  case resolved(PresentationID, PresentationOutcome, by: Resolver?, generation: Int?)

  /// The presentation that changed.
  public var id: PresentationID {
    switch self {
    case .requested(let id, _), .presented(let id, _, _), .withdrawn(let id, _, _, _), .answered(let id, _, _, _),
      .resolved(let id, _, _, _):
      id
    }
  }
}

/// Why something that has not ended is not on top any more.
public enum WithdrawalReason: String, Sendable, Hashable, CaseIterable {
  /// Something is stacked on it.
  case covered
  /// The last presenter went away.
  case presenterGone
  /// The coordinator went down.
  case interrupted
}

/// Why an event changes nothing. Whoever sent it is told.
public enum PresentationRejection: Error, Sendable, Hashable {
  /// There is no open presentation of that id.
  case notOpen
  /// It is still in line.
  case notPresented
  /// Something is stacked on it.
  case covered
  /// It was put up again since; the number is the present generation.
  case staleGeneration(Int)
  /// There is no open presentation of that id and uid to stack on.
  case unknownParent
  /// The presentation to stack on has as many below it as are allowed.
  case stackedTooDeep
  /// The presentation to stack a flow's screen on is not part of a flow.
  case parentIsNoFlow
  /// It is not part of a flow, and so cannot be finished.
  case notFlow
  /// It is part of a flow, and has no answer yet to finish with.
  case notAnswered
  /// As many are open as may be.
  case full(Scope)

  /// What is full.
  public enum Scope: String, Sendable, Hashable, CaseIterable {
    case surface, user, total
  }
}
