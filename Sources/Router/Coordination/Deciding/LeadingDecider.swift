import OrderedCollections

/// Leads a shared surface: decides the inputs of all hosts by the rules, and commits the decisions to the shared log.
final class LeadingDecider: LocalDecider {
  /// The decider of this host while another one leads.
  let following: FollowingDecider
  /// The hosts whose presenters are not known yet. Nothing is shown until then.
  private var awaited: Set<String>
  /// The inputs of hosts that wait until the key of the host's last request is looked up.
  private var waiting: [String: [(input: SharedInput?, row: Int64)]] = [:]
  /// Limits the events that a host causes by inputs that can be repeated at will.
  private var repeated = RateLimit<String>(perMinute: 6000)

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
        .daemonStarted(
          Event.Daemon(Presentation.Responder(process: coordinator.process).stamped(host: following.shared.host))))
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
    // The requester's copy may have been behind when its host looked the key up.
    let leader = ObjectIdentifier(self)
    let isLookedUp = coordinator.lookUpKey(of: ask) { [ask] coordinator, result in
      switch result {
      case .success(let id?): reply(coordinator, .ended(id))
      case .success(nil):
        if let unavailable = coordinator.unavailable { return reply(coordinator, .refused(unavailable)) }
        guard let leading = coordinator.leader(leader) else { return coordinator.decider.ask(ask, coordinator, then: reply) }
        leading.askNew(ask, coordinator, then: reply)
      case .failure(let error): reply(coordinator, .refused(error))
      }
    }
    if !isLookedUp { super.ask(ask, coordinator, then: reply) }
  }

  /// Decides a request whose key no ended presentation in the log has.
  private func askNew(_ ask: PresentationAsk, _ coordinator: isolated Coordinator, then reply: @escaping AskReply) {
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
    guard waiting[host] == nil else { return waiting[host]!.append((input, row)) }
    let readable = (try? input?.check()) == nil ? nil : input?.stamped(host: host)
    if case .input(.request(let ask)) = readable, lookUpKey(of: ask, row: row, coordinator) {
      waiting[host] = []
    } else {
      process(readable, from: host, row: row, coordinator)
    }
  }

  /// Looks up the key of another host's request, if an ended presentation may have used it, and then decides it and what the host
  /// has sent meanwhile. If this host no longer leads by then, the rows wait for the next leader.
  private func lookUpKey(of ask: PresentationAsk, row: Int64, _ coordinator: isolated Coordinator) -> Bool {
    let (host, leader) = (ask.requester.process.host, ObjectIdentifier(self))
    return coordinator.lookUpKey(of: ask) { coordinator, result in
      guard !coordinator.isShuttingDown, let leading = coordinator.leader(leader) else { return }
      switch result {
      case .success(nil): leading.process(.input(.request(ask)), from: host, row: row, coordinator)
      case .success(let id?): leading.accept([], .ended(id), row: row, at: coordinator.now, coordinator)
      case .failure(let error): leading.accept([], SharedReply(error), row: row, at: coordinator.now, coordinator)
      }
      for item in leading.waiting.removeValue(forKey: host) ?? [] {
        leading.receive(item.input, from: host, row: item.row, coordinator)
      }
    }
  }

  /// Records the events of a row of the inbox, and marks it as processed with the reply.
  private func accept(
    _ events: [Event], from source: AuditLog.Source = .rules, _ reply: SharedReply = .accepted, row: Int64, at moment: Moment,
    _ coordinator: isolated Coordinator
  ) {
    let inbox = InboxReply(row: row, reply: reply)
    append(events, from: source, at: moment.boot, inbox: inbox, coordinator) { [shared] _, result in
      // A refused report has its reply on record, too.
      if case .failure(.failed) = result { return }
      shared.link.recorded(inbox)
    }
    coordinator.noteDecided(events)
  }

  /// - Parameter input: The input, with all processes on the host; `nil` if it cannot be read.
  private func process(_ input: SharedInput?, from host: String, row: Int64, _ coordinator: isolated Coordinator) {
    guard isWritable else { return }
    let moment = coordinator.now
    func accept(_ events: [Event], from source: AuditLog.Source = .rules, _ reply: SharedReply = .accepted) {
      self.accept(events, from: source, reply, row: row, at: moment, coordinator)
    }
    do throws(PresentationRejection) {
      switch input {
      case nil: accept([], .notOpen)
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
        if let owner = input.attacher?.owner, let wait = coordinator.attachments.take(for: owner, at: moment.boot) {
          throw .attachedTooOften(wait)
        }
        guard input.isRepeatable else { return accept(try surfaces.handle(input, at: moment)) }
        accept(
          try limited(host, at: moment) { () throws(PresentationRejection) in try surfaces.handle(input, at: moment) })
      case .record(let event): accept([event], from: .host(host))
      case .restarted: accept(surfaces.hostGone(host, at: moment))
      case .presenters(let presenters):
        accept(
          try limited(host, at: moment) {
            surfaces.replacePresenters(of: host, with: presenters, surface: shared.name, at: moment)
          })
        stopAwaiting(host, coordinator)
      }
    } catch {
      accept([], error == .notOpen ? .notOpen : SharedReply(RouterError(error)))
    }
  }

  /// Returns the events of an input that can be repeated at will, unless its host has caused too many by such inputs.
  private func limited(
    _ host: String, at moment: Moment, _ decide: () throws(PresentationRejection) -> [Event]
  ) throws(PresentationRejection) -> [Event] {
    if let wait = repeated.wait(for: host, at: moment.boot) { throw .hostActsTooOften(wait) }
    let events = try decide()
    repeated.charge(events.count, to: host, at: moment.boot)
    return events
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

extension PresentationCoordinator {
  /// Returns the decider of a lookup if it still leads.
  fileprivate func leader(_ id: ObjectIdentifier) -> LeadingDecider? {
    guard let leading = decider as? LeadingDecider, ObjectIdentifier(leading) == id else { return nil }
    return leading
  }
}
