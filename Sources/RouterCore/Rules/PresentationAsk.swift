package struct PresentationAsk: Sendable, Hashable {
  package var id: PresentationID
  package var valid: ValidRequest
  package var requester: Presentation.Requester
  /// Whether the requester may supersede presentations of others.
  package var isAdmin = false
  package var mayBeCritical = true
  package var attached = true
  /// Whether the requester receives each answer to a flow.
  package var readsAnswers = true
  package var key: IdempotencyKey?
  /// Whether the requester has a callback in this process.
  package var hasCallback = false
  /// The boot id of the requester's machine, since process ids are reused after a boot; `nil` if unknown, in which case no
  /// grant is bound to a process.
  package var boot: String?
  /// The program that its act names; `nil` if it is unknown, or not looked up.
  package var program: ProgramFile?
  /// The local time for rules that depend on it; `nil` if unknown.
  package var dayTime: DayTime?
  /// The rule that sent the request to a person; the request includes its changes.
  var ruling: Ruling?
  /// The remaining time of the requester's rate limit, with its cause; `nil` if it is not rate limited.
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
