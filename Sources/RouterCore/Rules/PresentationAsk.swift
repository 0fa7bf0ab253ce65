package struct PresentationAsk: Sendable, Hashable {
  package var id: PresentationID
  package var valid: ValidRequest
  package var requester: Presentation.Requester
  /// Whether the requester may supersede presentations of others.
  package var isAdmin = false
  package var mayBeCritical = true
  package var attached = true
  /// Whether the requester receives the answers to a flow as they are given.
  package var readsAnswers = true
  package var key: IdempotencyKey?
  /// Whether the requester has a callback in this process.
  package var hasCallback = false
  /// Identifies the boot of the requester's machine, since process ids begin again with each; `nil` if it is unknown, so that no
  /// grant is bound to a process.
  package var boot: String?
  /// The local time where rules decide it; `nil` if it is unknown.
  package var dayTime: DayTime?
  /// The rule that a person is asked under; the request has its changes.
  var ruling: Ruling?
  /// For how long the requester is rate limited, and why; `nil` if it is not.
  package var throttled: DismissalBackoff.Delay?

  package var request: PresentationRequest { valid.request }

  package init(
    id: PresentationID, valid: ValidRequest, requester: Presentation.Requester, isAdmin: Bool = false,
    mayBeCritical: Bool = true,
    attached: Bool = true, readsAnswers: Bool = true, key: IdempotencyKey? = nil, hasCallback: Bool = false
  ) {
    self.id = id
    self.valid = valid
    self.requester = requester
    self.isAdmin = isAdmin
    self.mayBeCritical = mayBeCritical
    self.attached = attached
    self.readsAnswers = readsAnswers
    self.key = key
    self.hasCallback = hasCallback
  }
}
