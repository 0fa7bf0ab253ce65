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
  private(set) var asked: Asked
  public var requester: Requester { asked.requester }
  public var request: PresentationRequest { asked.request }
  public var requestedAt: Timestamp { asked.at }
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
    self.id = id
    self.state = state
    self.covered = covered
    self.position = position
    self.generation = generation
    self.attached = attached
    asked = Asked(requester: requester, request: request, at: requestedAt, number: 0, key: nil)
    self.presentedAt = presentedAt
    self.resolvedAt = resolvedAt
    self.outcome = outcome
    self.resolvedBy = resolvedBy
    self.callback = callback
  }

  init(id: PresentationID, attached: Bool, asked: Asked, place: PresentationPlace, level: Int) {
    (self.id, self.attached, self.asked, self.place, self.level) = (id, attached, asked, place, level)
    (state, covered, position, generation) = (.queued, false, 0, 0)
  }

  /// The same with what only the log knows of its request.
  func numbered(_ number: Int, key: IdempotencyKey?) -> Presentation {
    var copy = self
    copy.asked = Asked(requester: requester, request: request, at: requestedAt, number: number, key: key)
    return copy
  }

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
