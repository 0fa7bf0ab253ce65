/// One presentation, as everybody who may see it sees it.
public struct Presentation: Sendable, Hashable, Identifiable {
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    case queued, presented, resolved
  }

  public let id: PresentationID
  public var state: State
  /// Whether something is stacked on it, so that it cannot be answered now.
  public var covered: Bool
  /// 0 when shown, else how many are ahead of it on its surface.
  public var position: Int
  /// How many times it was put up.
  public var generation: Int
  /// Whether it lives only as long as its requester's connection or task.
  public var attached: Bool
  /// What never changes.
  let asked: Asked
  public var requester: Requester { asked.requester }
  public var request: PresentationRequest { asked.request }
  public var requestedAt: Timestamp { asked.at }
  /// The text of the request's JSON, written once: it is recorded twice, shown, and told with each answer.
  var requestText: JSONText { asked.requestText }
  /// When it was first shown.
  public var presentedAt: Timestamp?
  public var resolvedAt: Timestamp?
  public var outcome: PresentationOutcome?
  /// Who answered it, dismissed it or took it back.
  public var resolvedBy: Resolver?
  public var callback: CallbackState?

  /// Where it stands in line, or last stood.
  var place = PresentationPlace(lane: 0, rank: 0)
  /// How many presentations it is stacked on.
  var level = 0
  /// How long it was before the person in earlier showings; a flow's answer starts this over.
  var shownFor = Duration.zero
  /// When the current showing began, by the wall clock; `nil` while it is not before the person.
  var shownSince: Timestamp?
  /// Counts the accepted requests of a log; 0 where that is not known, as for what a client reads.
  var number: Int { asked.number }
  /// What makes asking again safe, where its requester gave it one.
  var key: IdempotencyKey? { asked.key }

  public init(
    id: PresentationID, state: State = .queued, covered: Bool = false, position: Int = 0, generation: Int = 0,
    attached: Bool = true, requester: Requester, request: PresentationRequest, requestedAt: Timestamp,
    presentedAt: Timestamp? = nil, resolvedAt: Timestamp? = nil, outcome: PresentationOutcome? = nil,
    resolvedBy: Resolver? = nil, callback: CallbackState? = nil
  ) {
    self.init(
      id: id, state: state, covered: covered, position: position, generation: generation, attached: attached,
      asked: Asked(requester: requester, request: request, at: requestedAt, number: 0, key: nil),
      presentedAt: presentedAt, resolvedAt: resolvedAt, outcome: outcome, resolvedBy: resolvedBy, callback: callback)
  }

  /// A presentation that was just requested.
  init(id: PresentationID, attached: Bool, asked: Asked, place: PresentationPlace, level: Int) {
    self.init(id: id, attached: attached, asked: asked)
    self.place = place
    self.level = level
  }

  /// The same with what only the log knows of its request.
  func numbered(_ number: Int, key: IdempotencyKey?) -> Presentation {
    Presentation(
      id: id, state: state, covered: covered, position: position, generation: generation, attached: attached,
      asked: Asked(requester: requester, request: request, at: requestedAt, number: number, key: key),
      presentedAt: presentedAt, resolvedAt: resolvedAt, outcome: outcome, resolvedBy: resolvedBy, callback: callback)
  }

  private init(
    id: PresentationID, state: State = .queued, covered: Bool = false, position: Int = 0, generation: Int = 0,
    attached: Bool, asked: Asked, presentedAt: Timestamp? = nil, resolvedAt: Timestamp? = nil,
    outcome: PresentationOutcome? = nil, resolvedBy: Resolver? = nil, callback: CallbackState? = nil
  ) {
    self.id = id
    self.state = state
    self.covered = covered
    self.position = position
    self.generation = generation
    self.attached = attached
    self.asked = asked
    self.presentedAt = presentedAt
    self.resolvedAt = resolvedAt
    self.outcome = outcome
    self.resolvedBy = resolvedBy
    self.callback = callback
  }

  /// The same without what a sensitive answer said.
  var redacted: Presentation {
    var copy = self
    copy.outcome = outcome?.redacted(if: request.sensitive)
    return copy
  }
}

/// How far a dismiss callback has come.
public struct CallbackState: Sendable, Hashable {
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    case pending, delivered, failed
  }

  public var state: State
  public var attempts: Int
  public var lastError: String?

  public init(state: State = .pending, attempts: Int = 0, lastError: String? = nil) {
    self.state = state
    self.attempts = attempts
    self.lastError = lastError
  }
}
