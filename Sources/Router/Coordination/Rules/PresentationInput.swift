/// An input of the rules, other than time.
package enum PresentationInput: Sendable, Hashable {
  case request(PresentationAsk)
  case answer(PresentationID, generation: Int?, PresentationAnswer, isSuppressed: Bool = false, by: Presentation.Responder?)
  case dismiss(PresentationID, generation: Int?, by: Presentation.Responder?)
  case fail(PresentationID, generation: Int?, detail: String, by: Presentation.Responder?)
  /// Cancels it, for its owner or an administrator.
  case cancel(PresentationID, by: Presentation.Responder, isAdmin: Bool)
  /// Finishes a flow, or a screen of it, with the last answer.
  case finish(PresentationID, by: Presentation.Responder, isAdmin: Bool)
  /// Detaches a request from its connection.
  case detach(PresentationID)
  /// The last requester that waited for it has disconnected.
  case requesterGone(PresentationID, CancellationReason)
  /// The requester of a presentation held after a restart has reconnected.
  case claim(PresentationID)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)
}

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
  /// The remaining time for which the requester is rate limited; `nil` if it is not.
  package var throttledFor: Duration?

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

package struct PresenterID: Sendable, Hashable {
  package let number: Int
  /// The host that it is attached to, on a shared surface; otherwise empty.
  package var host = ""

  package init(_ number: Int) { self.number = number }
}

package struct PresenterIdentity: Sendable, Hashable {
  package var name: String
  package var process: ProcessIdentity
  package var since: Timestamp
  /// The one presentation that it may show, its own user's; `nil` for all.
  package var only: PresentationID?

  package init(name: String, process: ProcessIdentity, since: Timestamp, only: PresentationID? = nil) {
    self.name = name
    self.process = process
    self.since = since
    self.only = only
  }

  var resolver: Presentation.Responder { Presentation.Responder(process: process, presenter: name) }
  var attached: AttachedPresenter { AttachedPresenter(name: name, uid: process.uid, since: since, only: only) }

  func mayShow(_ id: PresentationID) -> Bool { only == nil || only == id }
}
