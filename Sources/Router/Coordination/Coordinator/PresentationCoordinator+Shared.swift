import OrderedCollections

/// A coordinator's part in a surface that several hosts share.
///
/// One host leads: it decides the inputs of all hosts, on the rules and the pipeline of a local surface. The others send
/// it their inputs, follow the events that it records, and act on them for their own requesters and presenters.
package struct SharedState: Sendable {
  package enum Role: Sendable {
    case following, leading
  }

  /// Called when the leader has processed an input. Its events have been followed before.
  typealias Reply = @Sendable (isolated PresentationCoordinator, SharedReply) -> Void

  package let surface: String
  package let host: String
  let link: any SharedLink
  package internal(set) var role = Role.following
  /// Whether the database cannot be reached, so that nobody knows who leads.
  package internal(set) var isAway = true
  /// The hosts whose presenters a new leader waits for.
  var awaited: Set<String> = []
  fileprivate var replies: [Int: Reply] = [:]
  fileprivate var lastInput = 0
  /// Requests sent to the leader without a reply yet, and why their requester has left meanwhile.
  fileprivate var asking: [PresentationID: CancellationReason?] = [:]

  /// Presentations that have ended lately, or have a pending callback, of which hosts may still report something.
  fileprivate var ended: OrderedDictionary<PresentationID, Presentation> = [:]
  private static let endedCount = 4096

  package init(surface: String, host: String, link: any SharedLink) {
    self.surface = surface
    self.host = host
    self.link = link
  }

  mutating func noteEnd(of presentation: Presentation) {
    ended[presentation.id] = presentation
    guard ended.count > 2 * Self.endedCount else { return }
    var surplus = ended.count - Self.endedCount
    ended.removeAll { _, presentation in
      surplus -= 1
      return surplus >= 0 && presentation.callback?.state != .pending
    }
  }

  mutating func leftEarly(_ id: PresentationID, _ reason: CancellationReason) {
    if asking[id] != nil { asking[id] = .some(reason) }
  }
}

/// The way to the other hosts of a shared surface. Calls return at once.
package protocol SharedLink: Sendable {
  /// Sends an input to the leader, after those before. If the database cannot be reached, it is sent later.
  func send(_ input: SharedInput, number: Int)

  /// Sends the progress of a sheet to the presenters of other hosts; `nil` when it has ended.
  func report(_ progress: PresentationProgress?, of id: PresentationID)

  /// Reports that the input of a row is recorded with its events.
  func recorded(_ row: InboxReply)

  /// Reports that this host no longer leads, so that its copy of the log has to catch up.
  func steppedDown()
}

extension PresentationCoordinator {
  /// Whether a presentation was requested on this host.
  func isOwn(_ presentation: Presentation) -> Bool {
    shared.map { $0.host == presentation.requester.process.host } ?? true
  }

  package var isLeading: Bool { shared?.role == .leading }
  package var isConnected: Bool { shared?.isAway == false }

  // MARK: Sending inputs to the leader

  private func send(_ input: SharedInput, then reply: SharedState.Reply? = nil) {
    shared!.lastInput += 1
    if let reply { shared!.replies[shared!.lastInput] = reply }
    shared!.link.send(input, number: shared!.lastInput)
  }

  func forward(_ ask: PresentationAsk, for asker: Waiters.Asker, _ onDismiss: DismissCallback?) {
    waiters.add(asker, to: ask.id, onDismiss: onDismiss)
    shared!.asking[ask.id] = .some(nil)
    send(.input(.request(ask))) { coordinator, reply in
      let left = coordinator.shared?.asking.removeValue(forKey: ask.id) ?? nil
      switch reply {
      case .accepted: break
      case .joined(let id):
        _ = coordinator.waiters.take(ask.id)
        coordinator.join(asker, id)
      case .ended(let id):
        _ = coordinator.waiters.take(ask.id)
        coordinator.tellEnd(of: id, to: asker)
      case .notOpen: coordinator.waiters.take(ask.id)?.fail(RouterError(.notOpen))
      case .refused(let problem, let retryAfter):
        coordinator.waiters.take(ask.id)?.fail(RouterError(problem, retryAfter: retryAfter))
      }
      if let left { coordinator.withdraw(ask.id, left) }
    }
  }

  func forward(_ input: PresentationInput, to id: PresentationID, then completion: @escaping Completion) {
    do { try surfaces.checkSelfAnswer(input) } catch { return refuse(id, error, completion) }
    send(.input(input)) { coordinator, reply in
      switch reply {
      case .accepted, .joined, .ended:
        if let entry = coordinator.committed[id] { return completion(.success(coordinator.snapshot(entry.presentation))) }
        coordinator.read(id) { coordinator, result in
          completion(result.flatMap { $0.map { .success($0) } ?? .failure(RouterError(.notOpen, id: id)) })
        }
      case .notOpen: coordinator.refuse(id, .notOpen, completion)
      case .refused(let problem, let retryAfter): completion(.failure(RouterError(problem, retryAfter: retryAfter)))
      }
    }
  }

  /// Sends an input that cannot be refused.
  func forward(_ fact: PresentationInput, at moment: Moment) {
    send(.input(fact)) { coordinator, reply in
      let error: RouterError
      switch reply {
      case .accepted, .joined, .ended: return coordinator.seat(.fact(fact, moment))
      case .notOpen: error = RouterError(.notOpen)
      case .refused(let problem, let retryAfter): error = RouterError(problem, retryAfter: retryAfter)
      }
      guard case .presenterAttached(let id, _, let surface) = fact else { return }
      coordinator.screens.seat(id)?.end(error)
      coordinator.screens.detached(id, from: surface)
    }
  }

  func forward(_ event: Event) {
    switch event.detail {
    case .delivered, .callbackDelivered, .callbackFailed: send(.record(event))
    // Only the leader decides, and denials are recorded in this machine's own log.
    default: break
    }
  }

  /// Handles the leader's reply to an input, after the events that it led to.
  package func replied(to number: Int, _ reply: SharedReply) {
    shared?.replies.removeValue(forKey: number)?(self, reply)
  }

  // MARK: Following

  /// Acts on events that the leader has recorded.
  package func follow(_ events: [Event]) {
    guard !isLeading, !events.isEmpty else { return }
    let now = clock.now()
    for event in events { surfaces.follow(event, at: now) }
    act(on: Step(number: 0, events: events, time: now, held: nil))
  }

  /// The database can be reached again, and all recorded events have been followed.
  package func connected() {
    guard shared?.isAway == true else { return }
    shared!.isAway = false
    for surface in screens.presenters.keys { showCommitted(on: surface) }
  }

  /// The database cannot be reached: takes down the prompts, since another host may lead by now.
  package func disconnected() {
    guard shared?.isAway == false else { return }
    shared!.isAway = true
    for surface in screens.presenters.keys {
      if let current = screens.current(on: surface) { screens.withdraw(current, from: surface, because: .covered) }
    }
  }

  /// Ends the attached requests of this host, as a follower that shuts down, and then stops. Their requesters are told
  /// the recorded outcomes.
  func leave() {
    guard shared?.isAway == false else { return giveUp() }
    send(.restarted) { coordinator, _ in coordinator.giveUp() }
  }

  /// Stops a follower that shuts down, without waiting for the leader.
  package func giveUp() {
    guard case .shuttingDown(let continuations, _) = phase, shared?.role == .following else { return }
    stop(continuations)
  }

  /// Reports all presenters of this host to a new leader.
  package func reportPresenters() {
    guard !isLeading else { return }
    let seats = screens.presenters.values.flatMap { $0 }
    send(.presenters(Dictionary(seats.map { ($0.key, $0.value) }) { _, last in last }))
  }

  // MARK: Leading

  /// Goes on as the new leader, once all recorded events have been followed.
  ///
  /// - Parameter hosts: The other hosts that are there. Nothing is shown until they have reported their presenters, or
  ///   until ``showWithoutAwaited()``.
  package func takeOver(awaiting hosts: Set<String>) {
    guard shared != nil, !isLeading, case .running = phase else { return }
    log.retry()
    shared!.role = .leading
    shared!.awaited = hosts
    let moment = now
    record(Event(at: moment.wall, .daemonStarted(Resolver(process: process).stamped(host: shared!.host))))
    submit(surfaces.takeOver(Array(committed.values), at: moment), at: moment.boot)
    for (surface, presenters) in screens.presenters {
      for (id, identity) in presenters { decide(.presenterAttached(id, identity, surface: surface), at: moment) }
    }
    if hosts.isEmpty { showWithoutAwaited() }
  }

  /// Shows prompts although some hosts have not reported their presenters.
  package func showWithoutAwaited() {
    guard isLeading, surfaces.isPaused, case .running = phase else { return }
    shared!.awaited = []
    let moment = now
    submit(surfaces.resume(at: moment), at: moment.boot)
  }

  /// Decides an input of another host.
  ///
  /// - Parameters:
  ///   - input: The input; `nil` if it cannot be read.
  ///   - row: The row of the inbox, which is marked as processed with the resulting events.
  package func receive(_ input: SharedInput?, from host: String, row: Int64) {
    guard isLeading, case .running = phase else { return }
    let moment = now
    func accept(_ events: [Event], _ reply: SharedReply = .accepted) {
      submit(events, at: moment.boot, row: InboxReply(row: row, reply: reply))
    }
    guard let input, (try? input.check()) != nil else { return accept([], .notOpen) }
    do {
      switch input.stamped(host: host) {
      case .input(.request(let ask)):
        try check(.request(ask), from: host)
        switch try decide(ask, at: moment) {
        case .accepted(let events): accept(events)
        case .joined(let id, let events): accept(events, .joined(id))
        case .ended(let id): accept([], .ended(id))
        }
      case .input(let input):
        expire(at: moment)
        try check(input, from: host)
        accept(try surfaces.handle(input, at: moment))
      case .record(let event):
        append([try report(event, from: host)], at: moment.boot, row: InboxReply(row: row, reply: .accepted))
      case .restarted: accept(surfaces.hostGone(host, at: moment))
      case .presenters(let presenters):
        let events = surfaces.replacePresenters(of: host, with: presenters, surface: shared!.surface, at: moment)
        accept(events)
        if shared!.awaited.remove(host) != nil, shared!.awaited.isEmpty { showWithoutAwaited() }
      }
    } catch PresentationRejection.notOpen {
      accept([], .notOpen)
    } catch {
      accept([], SharedReply(RouterError(error)))
    }
  }

  /// Checks what a host may not do: act for the requesters of others, or on other surfaces.
  private func check(_ input: PresentationInput, from host: String) throws(PresentationRejection) {
    switch input {
    case .request(let ask):
      guard ask.request.surface == shared?.surface, !ask.request.sensitive, surfaces.entry(ask.id) == nil,
        committed[ask.id] == nil
      else { throw .notOpen }
    case .presenterAttached(_, _, let surface), .presenterDetached(_, let surface):
      guard surface == shared?.surface else { throw .notOpen }
    case .requesterGone(let id, _), .detach(let id), .claim(let id):
      guard surfaces.entry(id)?.owner.host == host else { throw .notOpen }
    default: break
    }
  }

  /// Checks an event of a presentation that was requested on a host, and returns it.
  private func report(_ event: Event, from host: String) throws(PresentationRejection) -> Event {
    guard let id = event.presentation, var presentation = committed[id]?.presentation ?? shared!.ended[id],
      presentation.requester.process.host == host, (try? presentation.apply(event)) != nil
    else { throw .notOpen }
    if presentation.state == .resolved { shared!.noteEnd(of: presentation) }
    return event
  }

  /// A host is gone: its attached requests end, and its presenters are detached.
  package func hostGone(_ host: String) {
    guard isLeading, case .running = phase else { return }
    let moment = now
    submit(surfaces.hostGone(host, at: moment), at: moment.boot)
    if shared!.awaited.remove(host) != nil, shared!.awaited.isEmpty { showWithoutAwaited() }
  }

  /// Checks that this host still leads. If it does not, it follows the new leader.
  package func checkLeadership() {
    guard isLeading else { return }
    append([], at: clock.now())
  }

  /// Follows another host, after a failed commit. Inputs that cannot be refused are sent to the new leader.
  func stepDown(_ held: [Held]) {
    shared!.role = .following
    screens.forgetReplaced()
    for surface in screens.presenters.keys { showCommitted(on: surface) }
    shared!.link.steppedDown()
    for item in held {
      switch item {
      case .fact(let fact, let moment): forward(fact, at: moment)
      case .record(let event): forward(event)
      }
    }
  }
}

extension RouterError {
  static let sharedLogAway = RouterError(
    .logUnavailable, "cannot use the database of the shared surface; nothing was changed", retryAfter: .seconds(1))
}
