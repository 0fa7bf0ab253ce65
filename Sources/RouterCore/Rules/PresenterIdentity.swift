package struct PresenterID: Sendable, Hashable {
  package let number: Int
  /// The presenter's host on a shared surface; otherwise empty.
  package var host = ""

  package init(_ number: Int) { self.number = number }
}

package struct PresenterIdentity: Sendable, Hashable {
  package var name: String
  package var process: ProcessIdentity
  package var since: Timestamp
  package var scope: PresenterScope

  package init(name: String, process: ProcessIdentity, since: Timestamp, scope: PresenterScope = PresenterScope()) {
    self.name = name
    self.process = process
    self.since = since
    self.scope = scope
  }

  var resolver: Presentation.Responder { Presentation.Responder(process: process, presenter: name) }
  package var attached: AttachedPresenter { AttachedPresenter(name: name, uid: process.uid, since: since, scope: scope) }

  /// Whether the presenter is attached for this presentation, or for all.
  package func isFor(_ id: PresentationID) -> Bool { scope.only == nil || scope.only == id }

  /// Whether the presenter may show a presentation: it is in scope, was not reported as failed, and, if several people must
  /// answer, the presenter's user may be an approver.
  package func mayShow(_ presentation: Presentation) -> Bool {
    scope.includes(presentation) && !presentation.failedPresenters.contains(where: isSame) && presentation.mayConcern(process)
  }

  package func isSame(as responder: Presentation.Responder) -> Bool {
    name == responder.presenter && process.owner == responder.process.owner && process.pid == responder.process.pid
  }
}
