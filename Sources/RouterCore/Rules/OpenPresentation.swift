/// An open presentation with its deadlines. An immutable object: lookups are far more frequent than events, which replace it.
@usableFromInline package final class OpenPresentation: Sendable {
  /// A person's answer to a flow's presentation, and the presenter that sent it.
  struct Answer: Sendable, Equatable {
    let content: PresentationAnswer
    let extra: AnswerExtra
    let resolver: Presentation.Responder?
  }

  private struct Times: Equatable {
    /// The deadline from `timeout`.
    var deadline: Duration?
    /// The deadline from `queueTimeout`; `nil` once the presentation was shown.
    var queueDeadline: Duration?
    var shownSince: Duration?
    /// The end of its snooze.
    var wakesAt: Duration?
  }

  package let presentation: Presentation
  /// The last answer to a flow's presentation. A sensitive answer is kept only here.
  let lastAnswer: Answer?
  /// The highest generation shown so far, recorded or not, so that no generation is used twice.
  let lastGeneration: Int
  /// The end of the time in which the presentation is held: it keeps its position, and is not shown until its requester
  /// reconnects.
  let heldUntil: Duration?
  private let times: Times

  private init(
    _ presentation: Presentation, _ lastAnswer: Answer?, _ lastGeneration: Int, heldUntil: Duration?, _ times: Times
  ) {
    (self.presentation, self.lastAnswer, self.lastGeneration) = (presentation, lastAnswer, lastGeneration)
    (self.heldUntil, self.times) = (heldUntil, times)
  }

  package convenience init(_ presentation: Presentation, now: Duration) {
    let times = Times(
      deadline: presentation.request.timeout.map { now + $0 }, queueDeadline: presentation.request.queueTimeout.map { now + $0 }
    )
    self.init(presentation, nil, 0, heldUntil: nil, times)
  }

  /// Restores a recorded request and its remaining deadlines.
  ///
  /// - Parameter now: The time. Its wall clock is not before the newest event, so that setting the clock back does not extend a
  ///   deadline.
  package convenience init(_ presentation: Presentation, at now: Moment) {
    self.init(presentation, nil, presentation.generation, heldUntil: nil, Self.times(of: presentation, at: now))
  }

  /// Computes the deadlines from the recorded times.
  private static func times(of presentation: Presentation, at now: Moment) -> Times {
    func left(_ timeout: Duration?) -> Duration? {
      timeout.map { now.boot + max(.zero, $0 - max(.zero, now.wall.duration(since: presentation.requestedAt))) }
    }
    return Times(
      deadline: left(presentation.request.timeout),
      queueDeadline: presentation.generation == 0 ? left(presentation.request.queueTimeout) : nil,
      shownSince: presentation.shownSince.map { now.boot - max(.zero, now.wall.duration(since: $0)) },
      wakesAt: presentation.snoozedUntil.map { now.boot + max(.zero, $0.duration(since: now.wall)) })
  }

  // MARK: Changes

  /// Returns the presentation after its next event.
  func applying(_ event: Event, at now: Duration) throws(FoldError) -> OpenPresentation {
    var (presentation, lastAnswer, lastGeneration, times) = (presentation, lastAnswer, lastGeneration, times)
    try presentation.apply(event)
    switch event.detail {
    case .presented(let shown):
      lastGeneration = max(lastGeneration, shown.generation)
      (times.queueDeadline, times.shownSince, times.wakesAt) = (nil, now, nil)
    case .answered(let answered):
      lastAnswer = Answer(content: answered.secret ?? answered.answer, extra: answered.extra, resolver: answered.by)
      times.shownSince = nil
    case .withdrawn(let withdrawn):
      times.shownSince = nil
      times.wakesAt = withdrawn.until.map { now + max(.zero, $0.duration(since: event.at)) }
    case .deferred(let deferred): times.wakesAt = now + max(.zero, deferred.until.duration(since: event.at))
    case .woken: times.wakesAt = nil
    case .resolved: times.shownSince = nil
    // The others change no times.
    default: break
    }
    return OpenPresentation(presentation, lastAnswer, lastGeneration, heldUntil: heldUntil, times)
  }

  /// Returns the presentation with deadlines recomputed from the recorded times.
  func settingDeadlines(at now: Moment) -> OpenPresentation {
    OpenPresentation(presentation, lastAnswer, lastGeneration, heldUntil: heldUntil, Self.times(of: presentation, at: now))
  }

  func held(until time: Duration?) -> OpenPresentation {
    OpenPresentation(presentation, lastAnswer, lastGeneration, heldUntil: time, times)
  }

  func skipping(_ generation: Int) -> OpenPresentation {
    OpenPresentation(presentation, lastAnswer, max(lastGeneration, generation), heldUntil: heldUntil, times)
  }

  // MARK: State

  package var id: PresentationID { presentation.id }
  package var request: PresentationRequest { presentation.request }
  var owner: Owner { presentation.requester.process.owner }
  package var isShown: Bool { presentation.state == .presented }
  var isQueued: Bool { presentation.state == .queued }
  var isCovered: Bool { presentation.covered }
  var isSnoozed: Bool { presentation.snoozedUntil != nil }
  /// Whether the presentation can be answered now.
  var isOnTop: Bool { isShown && !isCovered }
  /// Whether the presentation survives a restart: it is detached, or its requester can reconnect with a key. A flow ends with
  /// its connection.
  var survivesRestart: Bool { !presentation.attached || (presentation.key != nil && !request.flow) }

  /// Returns how long the current showing has lasted; `nil` while it is not on top.
  func shownFor(at now: Duration) -> Duration? { times.shownSince.map { now - $0 } }

  func hasUsedShownTime(at now: Duration) -> Bool {
    request.shownTimeout.map { presentation.shownFor + (shownFor(at: now) ?? .zero) >= $0 } ?? false
  }

  package var expiry: Duration? {
    let shownDeadline = times.shownSince.flatMap { since in
      request.shownTimeout.map { since + max(.zero, $0 - presentation.shownFor) }
    }
    return .earlier(.earlier(times.deadline, times.queueDeadline), shownDeadline)
  }

  var nextDeadline: Duration? { .earlier(.earlier(expiry, heldUntil), times.wakesAt) }

  /// The remaining time of `timeout`; `nil` without a timeout.
  func timeLeft(at now: Duration) -> Duration? { times.deadline.map { max(.zero, $0 - now) } }
}

extension OpenPresentation: Equatable {
  @usableFromInline package static func == (left: OpenPresentation, right: OpenPresentation) -> Bool {
    left === right
      || (left.presentation, left.lastAnswer, left.lastGeneration, left.heldUntil, left.times)
        == (right.presentation, right.lastAnswer, right.lastGeneration, right.heldUntil, right.times)
  }
}
