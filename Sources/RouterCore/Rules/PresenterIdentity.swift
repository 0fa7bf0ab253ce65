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
  package var scope: PresenterScope

  package init(name: String, process: ProcessIdentity, since: Timestamp, scope: PresenterScope = PresenterScope()) {
    self.name = name
    self.process = process
    self.since = since
    self.scope = scope
  }

  var resolver: Presentation.Responder { Presentation.Responder(process: process, presenter: name) }
  package var attached: AttachedPresenter { AttachedPresenter(name: name, uid: process.uid, since: since, scope: scope) }

  /// Whether it is attached for a presentation, or for all.
  package func isFor(_ id: PresentationID) -> Bool { scope.only == nil || scope.only == id }

  /// Whether its scope includes a presentation, which it has not failed to show. Its person must be one who may answer, if several
  /// have to.
  package func mayShow(_ presentation: Presentation) -> Bool {
    scope.includes(presentation) && !presentation.failedPresenters.contains(where: isSame) && presentation.mayConcern(process)
  }

  package func isSame(as responder: Presentation.Responder) -> Bool {
    name == responder.presenter && process.owner == responder.process.owner && process.pid == responder.process.pid
  }
}
