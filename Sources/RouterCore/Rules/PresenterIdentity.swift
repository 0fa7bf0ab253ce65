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
  package var attached: AttachedPresenter { AttachedPresenter(name: name, uid: process.uid, since: since, only: only) }

  /// Whether it is attached for a presentation.
  package func isFor(_ id: PresentationID) -> Bool { only == nil || only == id }

  /// Whether it is attached for a presentation, and has not failed to show it. Its person must be one who may answer, if several
  /// have to.
  package func mayShow(_ presentation: Presentation) -> Bool {
    isFor(presentation.id) && !presentation.failedPresenters.contains(where: isSame) && presentation.mayConcern(process)
  }

  package func isSame(as responder: Presentation.Responder) -> Bool {
    name == responder.presenter && process.owner == responder.process.owner && process.pid == responder.process.pid
  }
}
