/// Rules of surfaces that several hosts share.
extension PresentationSurfaces {
  /// Takes over the lead of a shared surface. Nothing is shown until ``resume(at:)``, so that the presenters of other hosts can
  /// attach first.
  package init(_ policy: Policy, takingOver fold: PresentationFold, at now: Moment, events: inout [Event]) {
    self.init(policy, fold, isPaused: true)
    if let rules = policy.rules, rules.rules.isEmpty ? standing.rules != nil : rules != standing.rules {
      events += load(Event.RulesLoaded(rules), at: now)
    }
    events += onEach(names, at: now) { $0.takeOver(at: now) }
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  package mutating func hostGone(_ host: String, at now: Moment) -> [Event] {
    names.flatMap { name in onEach([name], at: now) { $0.hostGone(host, from: name, at: now) } }
  }

  /// Attaches and detaches presenters of a host, so that it has these.
  package mutating func replacePresenters(
    of host: String, with presenters: [PresenterID: PresenterIdentity], surface: String, at now: Moment
  ) -> [Event] {
    (try? change(surface, at: now) { queue in queue.replacePresenters(of: host, with: presenters, surface: surface, at: now) })
      ?? []
  }

  /// Checks that a host acts for its own requesters, on the shared surface only.
  package func check(_ input: PresentationInput, from host: String, on surface: String) throws(PresentationRejection) {
    switch input {
    case .request(let ask):
      guard ask.request.surface == surface, entry(ask.id) == nil else { throw .notOpen }
    case .presenterAttached(_, _, let name):
      guard name == surface else { throw .notOpen }
      let count = queues[surface]?.presenterCount(of: host) ?? 0
      guard count < PresentationQueue.mostPresentersOfHost else { throw .full(.presenters) }
    case .presenterDetached(_, let name): guard name == surface else { throw .notOpen }
    case .requesterGone(let id, _), .detach(let id), .claim(let id):
      guard entry(id)?.owner.host == host else { throw .notOpen }
    case .revoke(let id, by: nil, _):
      // Only the host itself knows that a process of it has ended.
      guard standing.grant(id)?.condition.owner.host == host else { throw .noGrant }
    case .answer(_, _, _, let extra, _):
      if let id = extra.remember?.id, standing.grant(id) != nil { throw .noGrant }
    // Each host has its own file, and the leader's counts.
    case .loadRules: throw .notOpen
    case .dismiss, .snooze, .wake, .raise, .pauseSession, .endPause, .fail, .cancel, .finish, .revoke: break
    }
  }
}

extension PresentationInput {
  /// Whether it can be repeated at will, each time with new events. Others use up a request, a showing or a presenter.
  package var isRepeatable: Bool {
    switch self {
    case .request, .answer, .dismiss, .cancel, .finish, .revoke, .detach, .requesterGone, .claim, .presenterDetached: false
    case .presenterAttached, .fail, .snooze, .wake, .raise, .pauseSession, .endPause, .loadRules: true
    }
  }

  /// Whether the limit on attachments counts it, and for whom.
  package var attacher: ProcessIdentity? {
    switch self {
    case .presenterAttached(_, let identity, _): identity.process
    case .raise(_, let by): by.process
    default: nil
    }
  }
}
