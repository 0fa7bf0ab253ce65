/// What can happen to the surfaces, besides the passing of time.
package enum PresentationInput: Sendable, Hashable {
  case request(PresentationAsk)
  case answer(PresentationID, generation: Int?, PresentationAnswer, by: Resolver?)
  case dismiss(PresentationID, generation: Int?, by: Resolver?)
  case fail(PresentationID, generation: Int?, detail: String, by: Resolver?)
  /// Its owner, or an administrator, takes it away.
  case cancel(PresentationID, by: Resolver, isAdmin: Bool)
  /// Its requester ends its flow, or a screen of it, with the last answer.
  case finish(PresentationID, by: Resolver, isAdmin: Bool)
  /// An attached request goes on without its connection.
  case detach(PresentationID)
  /// The last requester that waited for it is gone.
  case requesterGone(PresentationID, CancellationReason)
  /// The requester of what is held after a restart is there again.
  case claim(PresentationID)
  case presenterAttached(PresenterID, PresenterIdentity, surface: String)
  case presenterDetached(PresenterID, surface: String)
}

package struct PresentationAsk: Sendable, Hashable {
  package var id: PresentationID
  package var request: PresentationRequest
  package var requester: Requester
  /// Whether the requester may supersede what belongs to others.
  package var isAdmin = false
  package var mayBeCritical = true
  package var attached = true
  package var key: IdempotencyKey?
  /// Whether the requester waits in this process to be called when it ends.
  package var hasCallback = false
  /// How much longer new requests of this requester are turned away; `nil` if they are not.
  package var throttledFor: Duration?
}

package struct PresenterID: Sendable, Hashable {
  package let number: Int

  package init(_ number: Int) { self.number = number }
}

package struct PresenterIdentity: Sendable, Hashable {
  package var name: String
  package var process: ProcessIdentity
  package var since: Timestamp

  var resolver: Resolver { Resolver(process: process, presenter: name) }
  var attached: AttachedPresenter { AttachedPresenter(name: name, uid: process.uid, since: since) }
}
