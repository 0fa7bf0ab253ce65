import OrderedCollections

/// Leads a shared surface: decides the inputs of all hosts by the rules, and commits the decisions to the shared log.
final class LeadingDecider: PresentationDecider {
  private let local: LocalDecider
  /// This host's decider while another host leads.
  private let following: FollowingDecider
  /// The hosts that have not reported their presenters. Nothing is shown until they have.
  private var awaited: Set<String>
  /// The queued inputs of each host, until the key of its last request is looked up.
  private var waiting: [String: [(input: SharedInput?, row: Int64)]] = [:]
  /// Limits the events that a host causes by repeatable inputs.
  private var repeated = RateLimit<String>(perMinute: 6000)
  /// Limits how often each user of another host attaches presenters or raises prompts.
  private var attachments: RateLimit<Owner>

  private var host: String { following.terms.surface.host }

  /// Takes over the lead.
  ///
  /// - Parameter hosts: The other attached hosts.
  static func takingOver(
    from following: FollowingDecider, awaiting hosts: Set<String>, at moment: Moment, _ record: Recorded
  ) -> (LeadingDecider, [Effect]) {
    let terms = following.terms
    let daemon = Presentation.Responder(process: terms.process).stamped(host: terms.surface.host)
    var events = [Event(at: moment.wall, .daemonStarted(Event.Daemon(daemon)))]
    let surfaces = PresentationSurfaces(following.policy, takingOver: record.state, at: moment, events: &events)
    let leading = LeadingDecider(
      local: LocalDecider(surfaces, backoff: terms.backoff, lastStep: following.lastStep), following: following,
      awaited: hosts, attachments: RateLimit(perMinute: terms.attachmentsPerMinute))
    var effects = [Effect.retry] + leading.local.submit(events, at: moment.boot)
    for (surface, presenters) in record.screens.presenters {
      for (id, identity) in presenters {
        effects += leading.local.accept(.presenterAttached(id, identity, surface: surface), at: moment)
      }
    }
    if hosts.isEmpty { effects += leading.showWithoutAwaited(at: moment, record) }
    return (leading, effects)
  }

  private init(local: LocalDecider, following: FollowingDecider, awaited: Set<String>, attachments: RateLimit<Owner>) {
    (self.local, self.following, self.awaited, self.attachments) = (local, following, awaited, attachments)
  }

  var policy: PresentationSurfaces.Policy {
    get { local.policy }
    set { local.policy = newValue }
  }

  var status: DeciderStatus {
    var status = local.status
    status.isLeading = true
    return status
  }

  var isAway: Bool { following.isAway }
  var gone: Set<PresentationID> { local.gone }
  var unavailable: RouterError? { following.unavailable ?? local.unavailable }
  var unavailableToPresenters: RouterError? { following.unavailable ?? local.unavailableToPresenters }

  func top(on surface: String, _ record: PresentationFold) -> Presentation? { local.top(on: surface, record) }
  func cancelAttachment(of presenter: PresenterID) -> Bool { local.cancelAttachment(of: presenter) }

  // MARK: Inputs of this host

  func handle(_ input: DeciderInput, reply: ReplyID?, at now: Moment, _ record: () -> Recorded) -> [Effect] {
    switch input {
    case .ask(var ask):
      ask.requester.process.host = host
      // The requester's host may have looked the key up in an outdated copy.
      if record().mayHaveEnded(ask) { return [.lookUp(KeyLookUp(ask: ask, source: .own(reply), term: following.term))] }
      return handleLocally(.ask(ask), reply, at: now, record)
    case .change(let input): return handleLocally(.change(input.stamped(host: host)), reply, at: now, record)
    case .fact(let fact, let moment): return local.accept(fact.stamped(host: host), at: moment)
    case .report: return handleLocally(input, reply, at: now, record)
    case .load, .record, .flush, .ended: return local.handle(input, reply: reply, at: now, record)
    case .shared(let input): return handle(input, at: now, record())
    }
  }

  private func handleLocally(
    _ input: DeciderInput, _ reply: ReplyID?, at now: Moment, _ record: () -> Recorded
  ) -> [Effect] {
    if let away = following.unavailable { return [.reply(reply, .failure(away))] }
    return local.handle(input, reply: reply, at: now, record)
  }

  func tick(at now: Moment) -> [Effect] { local.tick(at: now) }

  func shutDown(at now: Moment, _ record: () -> Recorded) -> [Effect] {
    local.resumeForShutDown(at: now) + hostGone(host, at: now, record()) + [.flush]
  }

  // MARK: Other hosts

  private func handle(_ input: SharedDeciderInput, at now: Moment, _ record: Recorded) -> [Effect] {
    switch input {
    case .connected(let isConnected):
      following.isAway = !isConnected
      return []
    case .showWithoutAwaited: return showWithoutAwaited(at: now, record)
    case .checkLeadership: return [local.append([], at: now.boot)]
    case .row(let input, let host, let row): return receive(input, from: host, row: row, at: now, record)
    case .hostGone(let host): return hostGone(host, at: now, record)
    case .lookedUp(let lookUp, let result): return lookedUp(lookUp, result, at: now, record)
    // A reply to an input that this host sent before it led.
    case .replied: return following.handle(.shared(input), reply: nil, at: now) { record }
    // Inputs that only a following host handles.
    case .announcePresenters, .takeOver: return []
    }
  }

  /// Decides an input of a host, and marks its row of the inbox as processed with the resulting events.
  private func receive(
    _ input: SharedInput?, from host: String, row: Int64, at now: Moment, _ record: Recorded
  ) -> [Effect] {
    if waiting[host] != nil {
      waiting[host]!.append((input, row))
      return []
    }
    let readable = (try? input?.check()) == nil ? nil : input?.stamped(host: host)
    // Looks up the key first if an ended presentation may have used it, and queues the host's further inputs.
    if case .input(.request(let ask)) = readable, record.mayHaveEnded(ask) {
      waiting[host] = []
      return [.lookUp(KeyLookUp(ask: ask, source: .row(row, host: host), term: following.term))]
    }
    return process(readable, from: host, row: row, at: now, record)
  }

  private func lookedUp(
    _ lookUp: KeyLookUp, _ result: Result<PresentationID?, RouterError>, at now: Moment, _ record: Recorded
  ) -> [Effect] {
    let isOfThisLead = lookUp.term == following.term
    switch lookUp.source {
    case .own(let reply):
      switch result {
      case .success(nil):
        if let unavailable { return [.reply(reply, .failure(unavailable))] }
        return isOfThisLead
          ? local.handle(.ask(lookUp.ask), reply: reply, at: now) { record }
          : handle(.ask(lookUp.ask), reply: reply, at: now) { record }
      case .success(let id?): return [.reply(reply, .success(.ended(id)))]
      case .failure(let error): return [.reply(reply, .failure(error))]
      }
    case .row(let row, let host):
      // If this host led before, the row is received again.
      guard isOfThisLead, !record.isShuttingDown else { return [] }
      var effects: [Effect]
      switch result {
      case .success(nil): effects = process(.input(.request(lookUp.ask)), from: host, row: row, at: now, record)
      case .success(let id?): effects = accept([], .ended(id), row: row, at: now)
      case .failure(let error): effects = accept([], SharedReply(error), row: row, at: now)
      }
      for item in waiting.removeValue(forKey: host) ?? [] {
        effects += receive(item.input, from: host, row: item.row, at: now, record)
      }
      return effects
    }
  }

  /// Records the events of a row of the inbox, and marks it as processed with the reply.
  private func accept(
    _ events: [Event], from source: AuditLog.Source = .rules, _ reply: SharedReply = .accepted, row: Int64, at now: Moment
  ) -> [Effect] {
    let inbox = InboxReply(row: row, reply: reply)
    return [local.append(events, from: source, at: now.boot, inbox: inbox), .decided(events)]
  }

  /// - Parameter input: The input, with all processes on the host; `nil` if it cannot be decoded.
  private func process(
    _ input: SharedInput?, from host: String, row: Int64, at now: Moment, _ record: Recorded
  ) -> [Effect] {
    guard local.isWritable else { return [] }
    var effects: [Effect] = []
    do throws(PresentationRejection) {
      return try decide(input, from: host, row: row, at: now, record, &effects)
    } catch {
      return effects + accept([], error == .notOpen ? .notOpen : SharedReply(RouterError(error)), row: row, at: now)
    }
  }

  private func decide(
    _ input: SharedInput?, from host: String, row: Int64, at moment: Moment, _ record: Recorded, _ effects: inout [Effect]
  ) throws(PresentationRejection) -> [Effect] {
    switch input {
    case nil: return accept([], .notOpen, row: row, at: moment)
    case .input(.request(let ask)):
      try check(.request(ask), from: host)
      switch try local.decide(ask, at: moment, &effects) {
      case .accepted(let events): return effects + accept(events, row: row, at: moment)
      case .joined(let id, let events): return effects + accept(events, .joined(id), row: row, at: moment)
      case .ended(let id): return effects + accept([], .ended(id), row: row, at: moment)
      }
    case .input(let input):
      effects += local.expire(at: moment)
      try check(input, from: host)
      if let owner = input.attacher?.owner, let wait = attachments.take(for: owner, at: moment.boot) {
        throw .attachedTooOften(wait)
      }
      if !input.isRepeatable { return effects + accept(try local.surfaces.handle(input, at: moment), row: row, at: moment) }
      try checkRepeated(by: host, at: moment)
      return effects + accept(charge(try local.surfaces.handle(input, at: moment), to: host, at: moment), row: row, at: moment)
    case .record(let event): return accept([event], from: .host(host), row: row, at: moment)
    case .restarted: return accept(local.surfaces.hostGone(host, at: moment), row: row, at: moment)
    case .presenters(let presenters):
      try checkRepeated(by: host, at: moment)
      let events = local.surfaces.replacePresenters(
        of: host, with: presenters, surface: following.terms.surface.name, at: moment)
      return accept(charge(events, to: host, at: moment), row: row, at: moment) + stopAwaiting(host, at: moment, record)
    }
  }

  private func check(_ input: PresentationInput, from host: String) throws(PresentationRejection) {
    try local.surfaces.check(input, from: host, on: following.terms.surface.name)
  }

  /// Checks that a host has not caused too many events by repeatable inputs.
  private func checkRepeated(by host: String, at moment: Moment) throws(PresentationRejection) {
    if let wait = repeated.wait(for: host, at: moment.boot) { throw .hostActsTooOften(wait) }
  }

  private func charge(_ events: [Event], to host: String, at moment: Moment) -> [Event] {
    repeated.charge(events.count, to: host, at: moment.boot)
    return events
  }

  /// Ends the attached requests of a lost host, and detaches its presenters.
  private func hostGone(_ host: String, at now: Moment, _ record: Recorded) -> [Effect] {
    guard local.isWritable else { return [] }
    return local.submit(local.surfaces.hostGone(host, at: now), at: now.boot) + stopAwaiting(host, at: now, record)
  }

  /// Stops waiting for a host's presenters.
  private func stopAwaiting(_ host: String, at now: Moment, _ record: Recorded) -> [Effect] {
    awaited.remove(host) != nil && awaited.isEmpty ? showWithoutAwaited(at: now, record) : []
  }

  /// Shows prompts although some hosts have not reported their presenters.
  private func showWithoutAwaited(at now: Moment, _ record: Recorded) -> [Effect] {
    guard local.surfaces.isSuspended, local.isWritable, !record.isShuttingDown else { return [] }
    awaited = []
    return local.submit(local.surfaces.resume(at: now), at: now.boot)
  }

  // MARK: Stepping down

  /// Follows another host after a failed commit. Sends inputs that cannot be refused to the new leader.
  func appended(_ step: Int, _ result: AuditLog.AppendResult, at now: Moment, _ record: () -> Recorded) -> [Effect] {
    guard case .failed(let error) = result, local.isPending(step) else {
      return local.appended(step, result, at: now, record)
    }
    let record = record()
    if record.isShuttingDown { return local.appended(step, result, at: now) { record } }
    let (lost, facts) = local.goBack(error, record)
    following.policy = policy
    following.lastStep = local.lastStep
    let sent = following.send(facts, at: now, record)
    return [.become(following)] + lost + [.showCommitted, .steppedDown] + sent
  }
}

extension Recorded {
  /// Whether an ended presentation may have used the request's key.
  fileprivate func mayHaveEnded(_ ask: PresentationAsk) -> Bool {
    ask.key.map { state.keys.mayBeInLog($0.scope(of: ask.requester)) } ?? false
  }
}
