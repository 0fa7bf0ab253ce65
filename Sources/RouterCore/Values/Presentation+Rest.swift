extension Presentation {
  /// Members that most open presentations lack. Stored behind a reference, because a presentation is copied often and rarely
  /// changes.
  struct Rest: Sendable, Hashable {
    var resolvedAt: Timestamp?
    var outcome: PresentationOutcome?
    var extra = AnswerExtra()
    var resolvedBy: Responder?
    var because: Authority?
    var approvals: [Approval] = []
    var offer: GrantOffer?
    var callback: Callback?
    var ran: Ran?
    var failedPresenters: [Responder] = []

    static let none = Shared(Rest())
  }

  mutating func changeRest(_ body: (inout Rest) -> Void) {
    var copy = rest.value
    body(&copy)
    rest = Shared(copy)
  }

  public package(set) var resolvedAt: Timestamp? {
    get { rest.value.resolvedAt }
    set { changeRest { $0.resolvedAt = newValue } }
  }

  public package(set) var outcome: PresentationOutcome? {
    get { rest.value.outcome }
    set { changeRest { $0.outcome = newValue } }
  }

  package var extra: AnswerExtra {
    get { rest.value.extra }
    set { changeRest { $0.extra = newValue } }
  }

  /// The person's comment on the answer or dismissal.
  public var comment: String? { extra.comment }

  /// The party that answered, dismissed or canceled it.
  public package(set) var resolvedBy: Responder? {
    get { rest.value.resolvedBy }
    set { changeRest { $0.resolvedBy = newValue } }
  }

  /// The authority that decided it without a direct answer; ``resolvedBy`` is then the person who gave the earlier or common
  /// answer, if any.
  public package(set) var because: Authority? {
    get { rest.value.because }
    set { changeRest { $0.because = newValue } }
  }

  /// The approvals so far, in order, without the last one.
  package var approvals: [Approval] {
    get { rest.value.approvals }
    set { changeRest { $0.approvals = newValue } }
  }

  /// The options for remembering the answer, while the presentation is open.
  package var offer: GrantOffer? {
    get { rest.value.offer }
    set { changeRest { $0.offer = newValue } }
  }

  public package(set) var callback: Callback? {
    get { rest.value.callback }
    set { changeRest { $0.callback = newValue } }
  }

  /// The result of the act, as reported by its requester.
  package var ran: Ran? {
    get { rest.value.ran }
    set { changeRest { $0.ran = newValue } }
  }

  /// The presenters that failed to show it, while it is open.
  var failedPresenters: [Responder] {
    get { rest.value.failedPresenters }
    set { changeRest { $0.failedPresenters = newValue } }
  }
}
