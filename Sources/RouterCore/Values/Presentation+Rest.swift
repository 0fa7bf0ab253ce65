extension Presentation {
  /// What most open presentations do not have. It is behind a reference, because a presentation is copied dozens of times on its
  /// way, and rarely changes.
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

  /// Why the person answered or closed it so, in their words.
  public var comment: String? { extra.comment }

  /// The party that answered, dismissed or canceled it.
  public package(set) var resolvedBy: Responder? {
    get { rest.value.resolvedBy }
    set { changeRest { $0.resolvedBy = newValue } }
  }

  /// What decided it, if no person looked at it; ``resolvedBy`` is then the person who decided earlier.
  public package(set) var because: Authority? {
    get { rest.value.because }
    set { changeRest { $0.because = newValue } }
  }

  /// The people who have given an answer that needs several, in order, without the last.
  package var approvals: [Approval] {
    get { rest.value.approvals }
    set { changeRest { $0.approvals = newValue } }
  }

  /// What a person may have remembered with the answer, while it is open.
  package var offer: GrantOffer? {
    get { rest.value.offer }
    set { changeRest { $0.offer = newValue } }
  }

  public package(set) var callback: Callback? {
    get { rest.value.callback }
    set { changeRest { $0.callback = newValue } }
  }

  /// The result of its act, as its requester reports it.
  package var ran: Ran? {
    get { rest.value.ran }
    set { changeRest { $0.ran = newValue } }
  }

  /// The presenters that could not show it, while it is open.
  var failedPresenters: [Responder] {
    get { rest.value.failedPresenters }
    set { changeRest { $0.failedPresenters = newValue } }
  }
}
