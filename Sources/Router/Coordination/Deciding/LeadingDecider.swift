import OrderedCollections

/// Leads a shared surface: decides the inputs of all hosts by the rules, and commits the decisions to the shared log.
final class LeadingDecider: LocalDecider {
  /// The decider of this host while another one leads.
  let following: FollowingDecider
  /// The hosts whose presenters are not known yet. Nothing is shown until then.
  private var awaited: Set<String>

  private var shared: SharedSurface { following.shared }

  /// Takes over the lead, once all recorded events have been followed.
  ///
  /// - Parameter hosts: The other hosts that are there.
  init(
    from following: FollowingDecider, awaiting hosts: Set<String>, backoff: DismissalBackoff.Rule?,
    _ coordinator: isolated Coordinator
  ) {
    self.following = following
    awaited = hosts
    let moment = coordinator.now
    var events = [
      Event(
        at: moment.wall,
        .daemonStarted(Presentation.Responder(process: coordinator.process).stamped(host: following.shared.host)))
    ]
    let surfaces = PresentationSurfaces(following.policy, takingOver: coordinator.committed, at: moment, events: &events)
    super.init(surfaces, log: coordinator.log, backoff: backoff, lastStep: coordinator.lastStep)
    log.retry()
    submit(events, at: moment.boot, coordinator)
    for (surface, presenters) in coordinator.screens.presenters {
      for (id, identity) in presenters { accept(.presenterAttached(id, identity, surface: surface), at: moment, coordinator) }
    }
    if hosts.isEmpty { showWithoutAwaited(coordinator) }
  }

  override var unavailable: RouterError? { following.unavailable ?? super.unavailable }
  override var unavailableToPresenters: RouterError? { following.unavailable ?? super.unavailableToPresenters }
  override var mayShow: Bool { following.mayShow }

  // MARK: Inputs of this host

  override func ask(_ ask: PresentationAsk, _ coordinator: isolated Coordinator, then reply: @escaping AskReply) {
    var ask = ask
    ask.requester.process.host = shared.host
    super.ask(ask, coordinator, then: reply)
  }

  override func change(_ input: PresentationInput, _ coordinator: isolated Coordinator, then reply: @escaping Reply) {
    super.change(input.stamped(host: shared.host), coordinator, then: reply)
  }

  override func accept(_ fact: PresentationInput, at moment: Moment, _ coordinator: isolated Coordinator) {
    super.accept(fact.stamped(host: shared.host), at: moment, coordinator)
  }

  override func report(_ progress: PresentationProgress?, of id: PresentationID) { following.report(progress, of: id) }

  override func shutDown(_ coordinator: isolated Coordinator) {
    resumeForShutDown(coordinator)
    hostGone(shared.host, coordinator)
    log.flush()
  }

  // MARK: Other hosts

  /// Decides an input of a host.
  ///
  /// - Parameters:
  ///   - input: The input; `nil` if it cannot be read.
  ///   - row: The row of the inbox, which is marked as processed with the resulting events.
  func receive(_ input: SharedInput?, from host: String, row: Int64, _ coordinator: isolated Coordinator) {
    guard isWritable else { return }
    let moment = coordinator.now
    func accept(_ events: [Event], from source: AuditLog.Source = .rules, _ reply: SharedReply = .accepted) {
      let inbox = InboxReply(row: row, reply: reply)
      append(events, from: source, at: moment.boot, inbox: inbox, coordinator) { [shared] _, result in
        // A refused report has its reply on record, too.
        if case .failure(.failed) = result { return }
        shared.link.recorded(inbox)
      }
      coordinator.noteDecided(events)
    }
    guard let input, (try? input.check()) != nil else { return accept([], .notOpen) }
    do {
      switch input.stamped(host: host) {
      case .input(.request(let ask)):
        try check(.request(ask), from: host)
        switch try decide(ask, at: moment, coordinator) {
        case .accepted(let events): accept(events)
        case .joined(let id, let events): accept(events, .joined(id))
        case .ended(let id): accept([], .ended(id))
        }
      case .input(let input):
        expire(at: moment, coordinator)
        try check(input, from: host)
        accept(try surfaces.handle(input, at: moment))
      case .record(let event): accept([event], from: .host(host))
      case .restarted: accept(surfaces.hostGone(host, at: moment))
      case .presenters(let presenters):
        accept(surfaces.replacePresenters(of: host, with: presenters, surface: shared.name, at: moment))
        stopAwaiting(host, coordinator)
      }
    } catch PresentationRejection.notOpen {
      accept([], .notOpen)
    } catch {
      accept([], SharedReply(RouterError(error)))
    }
  }

  private func check(_ input: PresentationInput, from host: String) throws(PresentationRejection) {
    try surfaces.check(input, from: host, on: shared.name)
  }

  /// Ends the attached requests of a host that is gone, and detaches its presenters.
  func hostGone(_ host: String, _ coordinator: isolated Coordinator) {
    guard isWritable else { return }
    let moment = coordinator.now
    submit(surfaces.hostGone(host, at: moment), at: moment.boot, coordinator)
    stopAwaiting(host, coordinator)
  }

  /// Stops waiting for a host's presenters.
  private func stopAwaiting(_ host: String, _ coordinator: isolated Coordinator) {
    if awaited.remove(host) != nil, awaited.isEmpty { showWithoutAwaited(coordinator) }
  }

  /// Shows prompts although some hosts have not reported their presenters.
  func showWithoutAwaited(_ coordinator: isolated Coordinator) {
    guard surfaces.isPaused, isWritable, !coordinator.isShuttingDown else { return }
    awaited = []
    let moment = coordinator.now
    submit(surfaces.resume(at: moment), at: moment.boot, coordinator)
  }

  /// Checks by a commit that this host still leads.
  func checkLeadership(_ coordinator: isolated Coordinator) { append([], at: coordinator.now.boot, coordinator) }

  /// Follows another host, after a failed commit. Inputs that cannot be refused are sent to the new leader.
  override func fail(_ error: RouterError, _ coordinator: isolated Coordinator) {
    let held = goBack(error, coordinator)
    following.policy = policy
    coordinator.decider = following
    coordinator.showCommitted()
    shared.link.steppedDown()
    following.send(held, coordinator)
  }
}
