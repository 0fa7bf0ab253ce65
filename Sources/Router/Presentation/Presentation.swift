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
  public let requester: Requester
  public let request: PresentationRequest
  public let requestedAt: Timestamp
  /// When it was first shown.
  public var presentedAt: Timestamp?
  public var resolvedAt: Timestamp?
  public var outcome: PresentationOutcome?
  /// Who answered it, dismissed it or took it back.
  public var resolvedBy: Resolver?
  public var callback: CallbackState?

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
    self.requester = requester
    self.request = request
    self.requestedAt = requestedAt
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
