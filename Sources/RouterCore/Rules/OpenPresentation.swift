/// An open presentation, with its deadlines.
@usableFromInline package struct OpenPresentation: Sendable, Hashable {
  /// A person's answer to a flow's presentation, and the presenter that sent it.
  struct Answer: Sendable, Hashable {
    let content: PresentationAnswer
    let extra: AnswerExtra
    let resolver: Presentation.Responder?
  }

  package private(set) var presentation: Presentation
  /// The last answer to a flow's presentation. A sensitive answer is kept only here.
  var lastAnswer: Answer? { sharedAnswer?.value }
  private var sharedAnswer: Shared<Answer>?
  /// The highest generation ever shown, recorded or not, so that none is used twice.
  var lastGeneration: Int
  /// Until then it keeps its place without being shown, because its requester may reconnect after a restart.
  var heldUntil: Duration?
  /// The deadline from `timeout`.
  private var deadline: Duration?
  /// The deadline from `queueTimeout`; `nil` once it was shown.
  private var queueDeadline: Duration?
  private var shownSince: Duration?
  /// When its snooze ends.
  private var wakesAt: Duration?

  package init(_ presentation: Presentation, now: Duration) {
    self.presentation = presentation
    lastGeneration = 0
    deadline = presentation.request.timeout.map { now + $0 }
    queueDeadline = presentation.request.queueTimeout.map { now + $0 }
  }

  /// Restores a recorded request with the remaining time of its deadlines.
  ///
  /// - Parameter now: The time. Its wall clock is not before the newest event, so that setting the clock back gives no
  ///   extra time.
  package init(_ presentation: Presentation, at now: Moment) {
    self.presentation = presentation
    lastGeneration = presentation.generation
    setDeadlines(at: now)
  }

  /// Sets the deadlines to what the recorded times leave of them.
  mutating func setDeadlines(at now: Moment) {
    func left(_ timeout: Duration?) -> Duration? {
      timeout.map { now.boot + max(.zero, $0 - max(.zero, now.wall.duration(since: presentation.requestedAt))) }
    }
    deadline = left(presentation.request.timeout)
    queueDeadline = presentation.generation == 0 ? left(presentation.request.queueTimeout) : nil
    shownSince = presentation.shownSince.map { now.boot - max(.zero, now.wall.duration(since: $0)) }
    wakesAt = presentation.snoozedUntil.map { now.boot + max(.zero, $0.duration(since: now.wall)) }
  }

  mutating func apply(_ event: Event, at now: Duration) throws(FoldError) {
    try presentation.apply(event)
    switch event.detail {
    case .presented(let shown):
      lastGeneration = max(lastGeneration, shown.generation)
      queueDeadline = nil
      shownSince = now
      wakesAt = nil
    case .answered(let answered):
      sharedAnswer = Shared(
        Answer(content: answered.secret ?? answered.answer, extra: answered.extra, resolver: answered.by))
      shownSince = nil
    case .withdrawn(let withdrawn):
      shownSince = nil
      wakesAt = withdrawn.until.map { now + max(.zero, $0.duration(since: event.at)) }
    case .deferred(let deferred): wakesAt = now + max(.zero, deferred.until.duration(since: event.at))
    case .woken: wakesAt = nil
    case .resolved: shownSince = nil
    case .requested, .presenterFailed, .detached, .delivered, .ran, .callbackDelivered, .callbackFailed, .presenterAttached,
      .presenterDetached, .daemonStarted, .daemonStopped, .throttled, .accessDenied, .pageLinkIssued, .granted, .revoked,
      .paused, .resumed, .rulesLoaded, .pruned:
      break
    }
  }

  package var id: PresentationID { presentation.id }
  package var request: PresentationRequest { presentation.request }
  var owner: Owner { presentation.requester.process.owner }
  package var isShown: Bool { presentation.state == .presented }
  var isQueued: Bool { presentation.state == .queued }
  var isCovered: Bool { presentation.covered }
  var isSnoozed: Bool { presentation.snoozedUntil != nil }
  /// Whether it can be answered now.
  var isOnTop: Bool { isShown && !isCovered }
  /// Whether it survives a restart: it is detached, or has a key to reconnect with. A flow ends with its connection.
  var survivesRestart: Bool { !presentation.attached || (presentation.key != nil && !request.flow) }

  /// Returns how long the current showing has lasted; `nil` while it is not on top.
  func shownFor(at now: Duration) -> Duration? { shownSince.map { now - $0 } }

  func hasUsedShownTime(at now: Duration) -> Bool {
    request.shownTimeout.map { presentation.shownFor + (shownFor(at: now) ?? .zero) >= $0 } ?? false
  }

  package var expiry: Duration? {
    let shownDeadline = shownSince.flatMap { since in
      request.shownTimeout.map { since + max(.zero, $0 - presentation.shownFor) }
    }
    return .earlier(.earlier(deadline, queueDeadline), shownDeadline)
  }

  var nextDeadline: Duration? { .earlier(.earlier(expiry, heldUntil), wakesAt) }

  /// The time left of `timeout`; `nil` without one.
  func timeLeft(at now: Duration) -> Duration? { deadline.map { max(.zero, $0 - now) } }
}
