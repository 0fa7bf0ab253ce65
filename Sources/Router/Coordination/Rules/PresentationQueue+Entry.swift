extension PresentationQueue {
  /// One open presentation: what its events say, and its clocks.
  package struct Entry: Sendable, Hashable {
    /// What a person answered to a flow's prompt, and who brought it.
    struct Answer: Sendable, Hashable {
      let content: PresentationAnswer
      let resolver: Resolver?
    }

    package private(set) var presentation: Presentation
    /// The last answer to what is part of a flow. A sensitive one is only here.
    private(set) var lastAnswer: Answer?
    /// The highest generation that was ever shown, on record or not: none is used twice.
    var lastGeneration: Int
    /// Until when it keeps its place without being shown, because its requester may come back after a restart.
    var heldUntil: Duration?
    /// When `timeout` is over.
    private let deadline: Duration?
    /// When `queueTimeout` is over; `nil` once it was shown.
    private var queueDeadline: Duration?
    private var shownSince: Duration?

    init(_ presentation: Presentation, now: Duration) {
      self.presentation = presentation
      lastGeneration = 0
      deadline = presentation.request.timeout.map { now + $0 }
      queueDeadline = presentation.request.queueTimeout.map { now + $0 }
    }

    /// A request from the record, with what is left of its times at `today`: the wall clock, or the newest event if that is
    /// later, so that a clock set back leaves no more time.
    init(_ presentation: Presentation, now: Duration, today: Timestamp) {
      func left(_ timeout: Duration?) -> Duration? {
        timeout.map { now + max(.zero, $0 - max(.zero, today.duration(since: presentation.requestedAt))) }
      }
      self.presentation = presentation
      lastGeneration = presentation.generation
      deadline = left(presentation.request.timeout)
      queueDeadline = presentation.generation == 0 ? left(presentation.request.queueTimeout) : nil
      shownSince = presentation.shownSince.map { now - max(.zero, today.duration(since: $0)) }
    }

    mutating func apply(_ event: Event, at now: Duration) {
      do {
        try presentation.apply(event)
      } catch {
        preconditionFailure("the rules decided \(event.kind) for \(id): \(error)")
      }
      switch event.detail {
      case .presented(let shown):
        lastGeneration = max(lastGeneration, shown.generation)
        queueDeadline = nil
        shownSince = now
      case .answered(let answered):
        lastAnswer = Answer(content: answered.secret ?? answered.answer, resolver: answered.by)
        shownSince = nil
      case .withdrawn, .resolved: shownSince = nil
      default: break
      }
    }

    package var id: PresentationID { presentation.id }
    var request: PresentationRequest { presentation.request }
    var owner: Owner { presentation.requester.process.owner }
    var isShown: Bool { presentation.state == .presented }
    var isCovered: Bool { presentation.covered }
    /// Whether it is before the person.
    var isOnTop: Bool { isShown && !isCovered }
    /// Whether its requester may come back for it after a restart. A flow ends with its connection.
    var survivesRestart: Bool { !presentation.attached || (presentation.key != nil && !request.flow) }

    /// How long the current showing has lasted; `nil` while it is not before the person.
    func shownFor(at now: Duration) -> Duration? { shownSince.map { now - $0 } }

    func hasUsedShownTime(at now: Duration) -> Bool {
      request.shownTimeout.map { presentation.shownFor + (shownFor(at: now) ?? .zero) >= $0 } ?? false
    }

    var expiry: Duration? {
      let shownDeadline = shownSince.flatMap { since in
        request.shownTimeout.map { since + max(.zero, $0 - presentation.shownFor) }
      }
      return [deadline, queueDeadline, shownDeadline].compactMap { $0 }.min()
    }

    var nextDeadline: Duration? { [expiry, heldUntil].compactMap { $0 }.min() }
  }

  /// A time at which something is due. Of two at the same time the one asked for first comes first.
  struct Deadline: Comparable, Sendable {
    let time: Duration
    let id: PresentationID

    init(_ time: Duration, _ id: PresentationID) {
      self.time = time
      self.id = id
    }

    static func < (left: Deadline, right: Deadline) -> Bool {
      (left.time, left.id) < (right.time, right.id)
    }
  }
}

/// A user of a host, to whom requests belong.
struct Owner: Sendable, Hashable {
  let host: String
  let uid: UInt32
}

extension ProcessIdentity {
  var owner: Owner { Owner(host: host, uid: uid) }
}
