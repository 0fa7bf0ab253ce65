/// Why something that has not ended was taken down.
package enum WithdrawalReason: String, Sendable, Hashable, CaseIterable {
  case covered
  case presenterGone
  case interrupted
}

package enum PresentationRejection: Error, Sendable, Hashable {
  /// No open presentation has that id, or it is not the caller's.
  case notOpen
  case notPresented
  case covered
  /// It was shown again since; the number is the current generation.
  case staleGeneration(Int)
  /// The request, or the answer to one, is malformed.
  case invalid(JSONError)
  case answerDoesNotFit(JSONError)
  /// No open presentation of the same user has the id to stack on.
  case unknownParent
  /// The presentation to stack on has as many below it as are allowed.
  case stackedTooDeep
  /// The presentation to stack a flow's screen on is not part of a flow.
  case parentIsNoFlow
  case notFlow
  /// It is part of a flow, and has no answer yet to finish with.
  case notAnswered
  /// A sensitive request's answer is for its requester's connection only.
  case sensitiveDetached
  /// A flow lives as long as its requester is there.
  case flowDetached
  case criticalForbidden
  case selfAnswer(SelfAnswerRule)
  /// The agent that it is asked for, or a process that the agent started, may not answer it.
  case agentAnswer
  /// Nothing here can call its requester back.
  case noCallbacks
  case keyReused
  /// People refused this requester too often in a row; for how much longer it is turned away.
  case throttled(Duration)
  /// The user's presenters attached too often; how long to wait.
  case attachedTooOften(Duration)
  case full(Scope)

  package enum Scope: String, Sendable, Hashable, CaseIterable {
    case surface, user, total
  }
}
