/// Why an open presentation was withdrawn.
package enum WithdrawalReason: String, Sendable, Hashable, CaseIterable {
  case covered
  case presenterGone
  case interrupted
  /// A person has approved it, and nobody who may approve it next is there.
  case approved
  /// A person wants to see it later.
  case snoozed
  /// A person wants to see another one first.
  case raised
}

extension WithdrawalReason {
  /// The reason that presenters are told.
  package var told: Presentation.Withdrawal {
    switch self {
    case .covered, .raised: .covered
    case .snoozed: .snoozed
    case .presenterGone, .interrupted, .approved: .cancelled
    }
  }
}

package enum PresentationRejection: Error, Sendable, Hashable {
  /// No open presentation has that id, or it belongs to someone else.
  case notOpen
  case notPresented
  case covered
  /// It has been shown again; the number is the current generation.
  case staleGeneration(Int)
  /// It cannot be raised: it is stacked, its requester is away, or nothing may be shown now.
  case cannotRaise
  /// No attached presenter may show it.
  case noPresenter
  /// The request is malformed.
  case invalid(JSONError)
  /// The object of the act is another command than its arguments.
  case actDiffers(Act)
  /// The answer, or the time of a snooze, does not fit the request.
  case answerDoesNotFit(JSONError)
  /// The request does not allow a dismissal.
  case dismissDisabled
  /// There is no open presentation of the same user to stack on.
  case unknownParent
  /// The stack is already at its maximum depth.
  case stackedTooDeep
  /// A flow's screen can be stacked only on a part of the flow.
  case parentIsNoFlow
  case notFlow
  /// A part of a flow cannot be finished before it has an answer.
  case notAnswered
  /// Nobody has approved its act.
  case notApproved
  /// The result of its act is on record, or is being recorded.
  case reported
  /// A sensitive answer is sent only on the requester's connection, so the request cannot be detached.
  case sensitiveDetached
  /// A sensitive answer must not leave this machine, so it cannot be asked for on a shared surface.
  case sensitiveShared
  /// A flow cannot be detached.
  case flowDetached
  /// A flow's answers are sent as they are given, so its requester needs a stream.
  case flowWithoutStream
  case criticalForbidden
  case selfAnswer(SelfAnswerRule)
  /// The agent that asked, or a process started by it, may neither answer nor end the request.
  case agentAnswer
  /// Several people must answer, and the one who asked is none of them.
  case ownApproval
  /// This person has approved it already: how many have, and how many must.
  case approved(Int, of: Int)
  /// Only people of a list may approve it; `nil` without a person.
  case needsApprover(String?)
  /// Callbacks are not available here.
  case noCallbacks
  case keyReused
  /// No grant in force has that id, or it concerns other users.
  case noGrant
  /// No pause in force has that id.
  case noPause
  /// The requester was refused too often in a row.
  case throttled(DismissalBackoff.Pause)
  /// The user attached presenters, or raised prompts, too often; the time to wait.
  case attachedTooOften(Duration)
  /// The host caused too many events by inputs that can be repeated; the time to wait.
  case hostActsTooOften(Duration)
  case full(Scope)

  package enum Scope: String, Sendable, Hashable, CaseIterable {
    case surface, user, host, total
    /// The number of a user's grants.
    case grants
    /// The number of a user's requests that grants settle in a minute.
    case settled
    /// The size of a user's requests.
    case bytes
    /// The size of a host's requests on a shared surface.
    case hostBytes
    /// The number of a host's presenters on a shared surface.
    case presenters
    /// The work that a user's requests make for the rules.
    case rules
  }
}
