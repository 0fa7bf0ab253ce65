/// A pause of an agent's session: its prompts wait until a time. Recorded by the event `paused`.
package struct SessionPause: Sendable, Hashable {
  /// The prompt at which the session was paused; its id identifies the pause.
  package let presentation: PresentationID
  package let surface: String
  package let requester: Presentation.Requester
  /// The process id of the agent, as in the request.
  let agent: Int32?
  /// The id of the agent's session.
  package let session: String?
  /// The session's name in lists, such as `claude-code · shop`.
  package let label: String
  package fileprivate(set) var until: Timestamp
  package let by: Presentation.Responder

  package init(_ presentation: Presentation, until: Timestamp, by: Presentation.Responder) {
    let request = presentation.request
    (self.presentation, surface, requester) = (presentation.id, request.surface, presentation.requester)
    (agent, session) = (request.agent, presentation.session)
    label = RequesterName(presentation).text
    (self.until, self.by) = (until, by)
  }

  var asker: DismissalBackoff.Asker { DismissalBackoff.Asker(requester, session: session) }

  package func concerns(_ presentation: Presentation) -> Bool {
    DismissalBackoff.Asker(presentation.requester, presentation.request) == asker
  }

  /// Checks that neither the agent, nor a requester barred from answering itself, ends the pause.
  package func checkEnd(by resolver: Presentation.Responder, _ rule: SelfAnswerRule) throws(PresentationRejection) {
    if rule.forbids(resolver.process, toAnswer: requester.process) { throw .selfAnswer(rule) }
    if requester.isGuarded(agent, from: resolver.process) { throw .agentAnswer }
  }
}

extension SessionPause: Record {
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    presentation = try f("presentation", \.presentation, "The presentation that the session was paused at.")
    surface = try f("surface", \.surface, "", .schema("Name"))
    requester = try f("requester", \.requester)
    agent = try f("agent", \.agent, "The agent's process, as in the request.")
    session = try f("session", \.session, "The id of the agent's session.")
    label = try f("label", \.label, "The session's name in lists.")
    until = try f("until", \.until)
    by = try f("by", \.by)
  }
}

/// The pauses in force, computed from `paused` and `resumed`.
package struct SessionPauses: Sendable {
  private struct Key: Hashable {
    let asker: DismissalBackoff.Asker
    let surface: String
  }

  private struct Held: Sendable {
    let pause: SessionPause
    /// The deadline on the boot clock, unaffected by changes of the wall clock.
    let deadline: Duration?

    func isAlive(at now: Duration) -> Bool { deadline.map { now < $0 } ?? true }
  }

  private var held: [Key: Held] = [:]

  /// Adds a pause, replacing one of the same session. Drops expired pauses.
  mutating func add(_ pause: SessionPause, deadline: Duration?, at now: Duration) {
    held = held.filter { $0.value.isAlive(at: now) }
    held[Key(asker: pause.asker, surface: pause.surface)] = Held(pause: pause, deadline: deadline)
  }

  mutating func remove(_ id: PresentationID) {
    held = held.filter { $0.value.pause.presentation != id }
  }

  /// The pauses in the order in which their prompts were requested.
  package func list(at now: Duration = .zero) -> [SessionPause] {
    held.values.filter { $0.isAlive(at: now) }.map(\.pause).sorted { $0.presentation < $1.presentation }
  }

  /// Returns the pause of a requester's session, with its end by the current wall clock; `nil` if there is none.
  func pause(of ask: PresentationAsk, at now: Moment) -> SessionPause? {
    guard !held.isEmpty else { return nil }
    let key = Key(asker: DismissalBackoff.Asker(ask.requester, ask.request), surface: ask.request.surface)
    guard let found = held[key], found.isAlive(at: now.boot) else { return nil }
    var pause = found.pause
    if let deadline = found.deadline { pause.until = now.wall.advanced(by: deadline - now.boot) }
    return pause
  }
}

extension PresentationSurfaces {
  /// Ends the pause of a session, and wakes its waiting prompts.
  mutating func endPause(
    _ id: PresentationID, by resolver: Presentation.Responder, at now: Moment
  ) throws(PresentationRejection) -> [Event] {
    guard let pause = standing.pauses.list(at: now.boot).first(where: { $0.presentation == id }) else { throw .noPause }
    try pause.checkEnd(by: resolver, policy.selfAnswer)
    return decide(on: pause.surface, at: now) { surfaces in
      surfaces.record(.resumed(Event.Resumed(pause: id, by: resolver)))
      for id in surfaces.open.ordered {
        guard let entry = surfaces.open[id], entry.isSnoozed, pause.concerns(entry.presentation) else { continue }
        surfaces.record(.woken(Event.Woken(by: resolver)), of: id)
      }
    }
  }

  /// Defers a prompt of a paused session, unless it already waits longer.
  mutating func postpone(_ id: PresentationID, during pause: SessionPause) {
    guard let presentation = open[id]?.presentation, presentation.state == .queued, pause.concerns(presentation),
      presentation.snoozedUntil.map({ $0 < pause.until }) ?? true
    else { return }
    record(.deferred(Event.Deferred(until: pause.until, by: pause.by)), of: id)
  }
}
