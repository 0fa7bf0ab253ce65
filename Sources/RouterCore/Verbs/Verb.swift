/// An action of a party on one open presentation. Each verb has a file in this folder with its members, its guard and its
/// decision.
package protocol Verb: Record, Sendable, Hashable {
  /// The name in the inbox of a shared surface.
  static var name: String { get }
  /// The category for the rule against self-answers. Has no default, so that each new verb chooses.
  static var guarded: Guarded { get }
  /// Whether a client can repeat the verb at will, with new events each time, because it uses up neither a request nor a
  /// showing.
  static var isRepeatable: Bool { get }
  /// Whether the verb counts against the limit on attachments, because it may show a prompt again.
  static var countsAsAttachment: Bool { get }
  /// The corresponding call of the HTTP API; `nil` if there is none.
  static var call: VerbCall? { get }
  /// When a client may repeat the call after a lost reply.
  static var repetition: Repetition { get }

  /// Checks the texts that a daemon checks before it accepts the verb, or sends it to another host.
  func checkTexts() throws(JSONError)
  /// Checks facts about the user that only the party's own host knows.
  func check(
    by party: Presentation.Responder?, on presentation: Presentation, _ policy: PresentationSurfaces.Policy
  ) throws(PresentationRejection)
  /// Whether the verb can have caused an outcome, for a client that lost the reply.
  func leads(to outcome: PresentationOutcome) -> Bool
  /// Records the resulting events, or throws before recording any.
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

/// The categories of the rule against self-answers.
package enum Guarded: Sendable, Hashable {
  /// Answers a presentation, ends it in place of an answer, or moves it ahead of others.
  case answer
  /// Closes a presentation without an answer, permanently or for a while, which never gives permission.
  case dismissal
  /// Ends a presentation on behalf of its requester.
  case withdrawal
  /// Reports a change of the requester's own connection. No party acts.
  case connection
}

/// The call of the HTTP API that acts on a presentation.
package enum VerbCall: Sendable, Hashable {
  /// `POST /v1/presentations/{id}/NAME` with an ``ActBody``.
  case post(String)
  /// `DELETE` without a body, for the presentation or a part of it.
  case delete(String?)

  package func path(_ presentation: String) -> String {
    switch self {
    case .post(let name), .delete(let name?): "\(presentation)/\(name)"
    case .delete(nil): presentation
    }
  }
}

/// When a client may repeat a call after a lost reply.
package enum Repetition: Sendable {
  /// Unsafe: repeating the call would be refused, or have a further effect.
  case never
  /// Safe if the call names a generation: a restart starts a new one, so that the call counts at most once.
  case ofShowing
  case always
}

/// A verb, the presentation that it applies to, and the acting party.
package struct Change: Sendable, Hashable {
  package var id: PresentationID
  package var verb: any Verb
  /// The generation that the party saw; `nil` for the current one.
  package var generation: Int?
  /// The acting party; `nil` for the program itself or its requester's connection.
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

  /// Throws `notOpen` unless the party owns the presentation or is an administrator. Returns whether it is the owner.
  func checkOwner(of entry: OpenPresentation) throws(PresentationRejection) -> Bool {
    let isOwner = by.map { $0.process.owner == entry.owner } ?? false
    guard isOwner || isAdmin else { throw .notOpen }
    return isOwner
  }
}

extension Presentation {
  /// Checks the conditions that also apply on the party's own host: the setting `forbidSelfAnswer`, a request's `agent`, and
  /// the verb's own check.
  ///
  /// An agent and its descendants may dismiss or snooze a prompt: neither gives permission, and a prompt with a wrong `agent`
  /// must not block the surface. They may not answer, raise, fail, cancel or finish it. As an exception, the process that asked
  /// may withdraw it.
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
