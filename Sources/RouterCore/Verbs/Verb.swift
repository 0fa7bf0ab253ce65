/// What a party does to one open presentation. Each verb is a file in this folder: its members, its guard and its decision.
package protocol Verb: Record, Sendable, Hashable {
  /// Its name in the inbox of a shared surface.
  static var name: String { get }
  /// The rule against self-answers that it is under. Without a default, so that each new verb decides.
  static var guarded: Guarded { get }
  /// Whether it can be repeated at will, each time with new events, because it uses up neither a request nor a showing.
  static var isRepeatable: Bool { get }
  /// Whether the limit on attachments of presenters counts it, because it may show a prompt again.
  static var countsAsAttachment: Bool { get }
  /// The call of the HTTP API that does it; `nil` if there is none.
  static var call: VerbCall? { get }
  /// When a client may make the call again after a lost reply.
  static var repetition: Repetition { get }

  /// Checks the texts that a daemon checks before it accepts the verb, or sends it to another host.
  func checkTexts() throws(JSONError)
  /// Checks what only the party's own host knows of its user.
  func check(
    by party: Presentation.Responder?, on presentation: Presentation, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection)
  /// Whether a presentation may have ended so by this, for a client that has lost the reply.
  func leads(to outcome: PresentationOutcome) -> Bool
  /// Records what follows, or throws before it records anything.
  func decide(
    _ change: Change, on entry: OpenPresentation, in surfaces: inout PresentationSurfaces
  ) throws(PresentationRejection)
}

extension Verb {
  package static var isRepeatable: Bool { true }
  package static var countsAsAttachment: Bool { false }
  package static var call: VerbCall? { .post(name) }
  package static var repetition: Repetition { .never }
  package func checkTexts() throws(JSONError) {}
  package func check(
    by party: Presentation.Responder?, on presentation: Presentation, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection) {}

  package func leads(to outcome: PresentationOutcome) -> Bool { false }

  fileprivate func isEqual(to other: any Verb) -> Bool { (other as? Self) == self }
}

/// What the rule against self-answers distinguishes.
package enum Guarded: Sendable, Hashable {
  /// Answers a presentation, ends it in place of an answer, or puts it before others.
  case answer
  /// Closes it without an answer, for good or for a while, which is never permission.
  case dismissal
  /// Ends it on behalf of its requester.
  case withdrawal
  /// Says what became of the requester's own connection. No party acts.
  case connection
}

/// The call of the HTTP API that does something to a presentation.
package enum VerbCall: Sendable, Hashable {
  /// `POST /v1/presentations/{id}/NAME` with an ``ActBody``.
  case post(String)
  /// `DELETE` without a body, of the presentation or of a part of it.
  case delete(String?)

  package func path(_ presentation: String) -> String {
    switch self {
    case .post(let name), .delete(let name?): "\(presentation)/\(name)"
    case .delete(nil): presentation
    }
  }
}

/// When a client may make a call again whose reply it has lost.
package enum Repetition: Sendable {
  /// Done twice, it would be refused or do more.
  case never
  /// If it is for a showing: a restart starts a new generation, so that it counts once.
  case ofShowing
  case always
}

/// A verb, the presentation that it is for, and the party that acts.
package struct Change: Sendable, Hashable {
  package var id: PresentationID
  package var verb: any Verb
  /// The showing that the party saw; `nil` for the current one.
  package var generation: Int?
  /// `nil` if the program itself acts, or its requester's connection.
  package var by: Presentation.Responder?
  package var isAdmin: Bool

  package init(
    _ id: PresentationID, _ verb: any Verb, generation: Int? = nil, by: Presentation.Responder? = nil, isAdmin: Bool = false
  ) {
    (self.id, self.verb, self.generation, self.by, self.isAdmin) = (id, verb, generation, by, isAdmin)
  }

  package static func == (left: Change, right: Change) -> Bool {
    (left.id, left.generation, left.by, left.isAdmin) == (right.id, right.generation, right.by, right.isAdmin)
      && left.verb.isEqual(to: right.verb)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(verb)
  }

  /// Throws `notOpen` unless the party owns the presentation or is an administrator. Returns whether it owns it.
  func checkOwner(of entry: OpenPresentation) throws(PresentationRejection) -> Bool {
    let isOwner = by.map { $0.process.owner == entry.owner } ?? false
    guard isOwner || isAdmin else { throw .notOpen }
    return isOwner
  }
}

extension Presentation {
  /// Checks what a change must fulfill on the party's own host, too: the setting `forbidSelfAnswer`, a request's `agent`, and the
  /// verb's own check.
  ///
  /// An agent and its descendants may dismiss or snooze a prompt: that permits nothing, and a prompt with a wrong `agent` must not
  /// hold the surface. They may not answer, raise, fail, cancel or finish it, except for the process that asked, which may withdraw it.
  package func check(_ change: Change, _ policy: PresentationSurfaces.Policy) throws(PresentationRejection) {
    switch type(of: change.verb).guarded {
    case .answer: try checkAnswer(by: change.by, policy)
    case .dismissal: try checkDismissal(by: change.by, policy)
    case .withdrawal:
      if let by = change.by, isGuarded(from: by.process), !by.process.isSameProcess(as: requester.process) {
        throw .agentAnswer
      }
    case .connection: break
    }
    try change.verb.check(by: change.by, on: self, policy)
  }
}
