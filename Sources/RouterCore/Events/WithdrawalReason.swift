/// Why an open presentation was withdrawn.
package enum WithdrawalReason: String, Sendable, Hashable, CaseIterable {
  case covered
  case presenterGone
  case interrupted
  /// A person approved it, and no other approver is attached.
  case approved
  /// A person snoozed it.
  case snoozed
  /// A person raised another presentation.
  case raised
}

extension WithdrawalReason {
  /// The reason sent to presenters.
  package var told: Presentation.Withdrawal {
    switch self {
    case .covered, .raised: .covered
    case .snoozed: .snoozed
    case .presenterGone, .interrupted, .approved: .cancelled
    }
  }
}
