import Synchronization

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
  private let asked: Asked
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
    asked = Asked(requester: requester, request: request, at: requestedAt)
    self.presentedAt = presentedAt
    self.resolvedAt = resolvedAt
    self.outcome = outcome
    self.resolvedBy = resolvedBy
    self.callback = callback
  }

  /// What never changes, once for all copies: most of a presentation, which is copied at each step of its way.
  private final class Asked: Sendable, Hashable {
    let requester: Requester
    let request: PresentationRequest
    let at: Timestamp
    private let text = AtomicLazyReference<Text>()

    /// What an atomic reference can refer to.
    private final class Text: Sendable {
      let json: JSONText

      init(_ json: JSONText) {
        self.json = json
      }
    }

    var requestText: JSONText { (text.load() ?? text.storeIfNil(Text(request.jsonText.compact))).json }

    init(requester: Requester, request: PresentationRequest, at: Timestamp) {
      self.requester = requester
      self.request = request
      self.at = at
    }

    static func == (left: Asked, right: Asked) -> Bool {
      left === right || (left.at == right.at && left.requester == right.requester && left.request == right.request)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(requester)
      hasher.combine(request)
      hasher.combine(at)
    }
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
