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
