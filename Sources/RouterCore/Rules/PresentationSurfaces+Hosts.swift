import OrderedCollections

/// Restarts, shared surfaces and the loss of hosts.
extension PresentationSurfaces {
  /// The time after a restart in which held presentations are not overtaken, so that reconnecting requesters keep their order.
  static let orderGrace = Duration.seconds(1)

  /// Restores the open presentations after a restart, with the remaining time of their deadlines.
  ///
  /// - Parameter grace: The time for requesters with a key to reconnect.
  package init(_ policy: Policy, restarting state: PresentationFold, at now: Moment, grace: Duration, events: inout [Event]) {
    self.init(policy, state, isSuspended: true, overtakingFrom: now.boot + min(grace, Self.orderGrace))
    events += onEach(names, at: now) { $0.restart(graceEnd: now.boot + grace) }
    if held.isEmpty { overtakingFrom = nil }
    events += resume(at: now)
  }

  /// Withdraws the shown presentations, ends those that do not survive a restart, and holds the rest for their requesters.
  private mutating func restart(graceEnd: Duration) {
    withdrawStack(.interrupted)
    // A screen ends before the one below it: each has lost its own requester.
    for id in open.topsFirst {
      guard let entry = open[id] else { continue }
      if !entry.survivesRestart {
        resolve(id, .cancelled(.interrupted), by: nil)
      } else if entry.hasUsedShownTime(at: now.boot) {
        resolve(id, .expired(.presented), by: nil)
      } else if entry.presentation.attached {
        hold(id, until: graceEnd)
      }
    }
  }

  /// Ends the presentations that do not survive a shutdown, and shows nothing new.
  package mutating func shutDown(at now: Moment) -> [Event] {
    suspend()
    return onEach(names, at: now) { surfaces in
      for id in surfaces.open.topsFirst where surfaces.open[id]?.survivesRestart == false {
        surfaces.resolve(id, .cancelled(.interrupted), by: nil)
      }
    }
  }

  /// Takes over the lead of a shared surface. Nothing is shown until ``resume(at:)``, so that the presenters of other hosts can
  /// attach first.
  package init(_ policy: Policy, takingOver state: PresentationFold, at now: Moment, events: inout [Event]) {
    self.init(policy, state, isSuspended: true)
    if let rules = policy.rules, rules.rules.isEmpty ? self.rules != nil : rules != self.rules {
      events += decide(at: now) { $0.record(.rulesLoaded(Event.RulesLoaded(rules))) }
    }
    // The presenters of other hosts are not known yet.
    events += onEach(names, at: now) { $0.withdrawStack(.interrupted) }
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  package mutating func hostGone(_ host: String, at now: Moment) -> [Event] {
    onEach(names, at: now) { surfaces in
      for id in surfaces.open.topsFirst {
        guard let entry = surfaces.open[id], entry.presentation.attached, entry.owner.host == host else { continue }
        surfaces.resolve(id, .cancelled(.interrupted), by: nil)
      }
      surfaces.remove(presenters: surfaces.presenters.keys.filter { $0.host == host })
    }
  }

  /// Attaches and detaches presenters, so that a host has exactly these.
  package mutating func replacePresenters(
    of host: String, with attached: [PresenterID: PresenterIdentity], surface: String, at now: Moment
  ) -> [Event] {
    decide(on: surface, at: now) { surfaces in
      surfaces.remove(presenters: surfaces.presenters.keys.filter { $0.host == host && attached[$0] == nil })
      let free = Self.mostPresentersOfHost - surfaces.presenters.keys.count { $0.host == host }
      let new = attached.filter { surfaces.presenters[$0.key] == nil }.sorted { $0.key.number < $1.key.number }
      for (id, identity) in new.prefix(free) { surfaces.attach(id, identity) }
    }
  }

  /// Checks that a host acts only for its own requesters, and only on the shared surface.
  package func check(_ input: PresentationInput, from host: String, on surface: String) throws(PresentationRejection) {
    switch input {
    case .request(let ask):
      guard ask.request.surface == surface, entry(ask.id) == nil else { throw .notOpen }
    case .presenterAttached(_, _, let name):
      guard name == surface else { throw .notOpen }
      let count = seats[surface]?.keys.count { $0.host == host } ?? 0
      guard count < Self.mostPresentersOfHost else { throw .full(.presenters) }
    case .presenterDetached(_, let name): guard name == surface else { throw .notOpen }
    case .change(let change):
      if type(of: change.verb).guarded == .connection, entry(change.id)?.owner.host != host { throw .notOpen }
      if let id = (change.verb as? Verbs.Answer)?.extra.remember?.id, standing.grant(id) != nil { throw .noGrant }
    case .revoke(let id, by: nil, _, _):
      // Only the host itself knows when one of its processes ends.
      guard standing.grant(id)?.condition.owner.host == host else { throw .noGrant }
    // Each host has its own rules file; the leader's is in force.
    case .loadRules, .turn: throw .notOpen
    case .endPause, .revoke: break
    }
  }
}

extension PresentationInput {
  /// Whether a client can repeat the input at will, with new events each time. Other inputs use up a request, a showing or a
  /// presenter.
  package var isRepeatable: Bool {
    switch self {
    case .change(let change): type(of: change.verb).isRepeatable
    case .request, .revoke, .presenterDetached: false
    case .presenterAttached, .endPause, .loadRules, .turn: true
    }
  }

  /// The process whose attachment limit the input counts against; `nil` if it does not count.
  package var attacher: ProcessIdentity? {
    switch self {
    case .presenterAttached(_, let identity, _): identity.process
    case .change(let change) where type(of: change.verb).countsAsAttachment: change.by?.process
    case .change, .request, .revoke, .endPause, .loadRules, .turn, .presenterDetached: nil
    }
  }
}
