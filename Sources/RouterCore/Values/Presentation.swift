/// A presentation and its current state.
public struct Presentation: Sendable, Hashable, Identifiable {
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    case queued, presented, resolved
  }

  public let id: PresentationID
  public package(set) var state: State
  /// Whether another presentation covers this one, so that it cannot be answered now.
  public package(set) var covered: Bool
  /// The queue position: the number of presentations ahead of it on its surface; 0 once shown.
  public package(set) var position: Int
  /// The number of times the presentation was shown.
  public package(set) var generation: Int
  /// The end of its snooze, if a person snoozed it.
  public package(set) var snoozedUntil: Timestamp?
  /// Whether the presentation ends with its requester's connection or task.
  public package(set) var attached: Bool
  @usableFromInline package internal(set) var asked: Asked
  @inlinable public var requester: Requester { asked.requester }
  /// The request, with the changes of rules. Inlinable, so that other modules copy only the members that they read.
  @inlinable public var request: PresentationRequest { asked.request }
  public var requestedAt: Timestamp { asked.at }
  /// The request as sent.
  package var requestText: JSONText { asked.requestText }
  /// The rule that sent the request to a person; ``request`` includes its changes.
  package var ruling: Ruling? { asked.ruling }
  /// When it was first shown.
  public package(set) var presentedAt: Timestamp?
  /// Its current or last queue position.
  package var place = PresentationPlace(lane: 0, rank: 0)
  package var level = 0
  /// The total time of earlier showings; reset by an answer to a flow.
  var shownFor = Duration.zero
  /// The wall-clock start of the current showing; `nil` while it is not on top.
  package var shownSince: Timestamp?
  var rest = Rest.none
  /// The request number, counted from 1 in each log; 0 if unknown, as in a client.
  package var number: Int { asked.number }
  /// The idempotency key, if the request has one.
  package var key: IdempotencyKey? { asked.key }

  package init(
    id: PresentationID, state: State = .queued, covered: Bool = false, position: Int = 0, generation: Int = 0,
    attached: Bool = true, requester: Requester, request: PresentationRequest, requestedAt: Timestamp,
    presentedAt: Timestamp? = nil, resolvedAt: Timestamp? = nil, outcome: PresentationOutcome? = nil,
    resolvedBy: Responder? = nil, callback: Callback? = nil, ruling: Ruling? = nil
  ) {
    self.id = id
    self.state = state
    self.covered = covered
    self.position = position
    self.generation = generation
    self.attached = attached
    asked = Asked(requester: requester, request: request, ruling: ruling, at: requestedAt, number: 0, key: nil)
    self.presentedAt = presentedAt
    rest = Shared(Rest(resolvedAt: resolvedAt, outcome: outcome, resolvedBy: resolvedBy, callback: callback))
  }

  package init(id: PresentationID, attached: Bool, asked: Asked, place: PresentationPlace, level: Int) {
    (self.id, self.attached, self.asked, self.place, self.level) = (id, attached, asked, place, level)
    (state, covered, position, generation) = (.queued, false, 0, 0)
  }

  /// Returns a copy with the request number and key, which only the log knows.
  package func numbered(_ number: Int, key: IdempotencyKey?) -> Presentation {
    var copy = self
    copy.asked = asked.numbered(number, key: key)
    return copy
  }
}

extension Presentation {
  /// The state of a dismiss callback.
  public struct Callback: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
      case pending, delivered, failed
    }

    public package(set) var state: State
    public package(set) var attempts: Int
    public package(set) var lastError: String?

    package init(state: State = .pending, attempts: Int = 0, lastError: String? = nil) {
      self.state = state
      self.attempts = attempts
      self.lastError = lastError
    }
  }
}
