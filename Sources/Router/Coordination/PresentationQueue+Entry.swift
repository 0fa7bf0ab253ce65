import OrderedCollections

extension PresentationQueue {
  /// One open presentation, as the rules see it.
  public struct Entry: Sendable, Hashable {
    /// Where it is.
    public enum Phase: Sendable, Hashable {
      /// In line, for the surface or for a place on its parent.
      case waiting(PresentationPlace)
      /// On the stack.
      case shown
    }

    /// What a person answered, and who brought it.
    struct Answer: Sendable, Hashable {
      let content: PresentationAnswer
      let resolver: Resolver?
    }

    public let ticket: PresentationTicket
    /// How many it is stacked on; below 0 until that is known.
    var level: Int
    public internal(set) var phase: Phase
    /// Whether it is on the stack with something on top of it.
    public internal(set) var isCovered = false
    /// How many times it was put up.
    public internal(set) var generation: Int
    /// The last answer to what is part of a flow.
    var lastAnswer: Answer?
    /// Until when it keeps its place without being shown, since its requester was lost with the coordinator before this one
    /// and may come back; `nil` if nobody has to.
    var heldUntil: Duration?
    /// When `timeout` is over.
    var deadline: Duration?
    /// When `queueTimeout` is over; `nil` once it was shown.
    var queueDeadline: Duration?
    /// What is left of `shownTimeout` while its clock stands.
    var shownLeft: Duration?
    /// When `shownTimeout` is over, while its clock runs.
    var shownDeadline: Duration?

    /// A new request.
    init(ticket: PresentationTicket, phase: Phase, level: Int, now: Duration) {
      self.ticket = ticket
      self.level = level
      self.phase = phase
      generation = 0
      deadline = ticket.timeout.map { now + $0 }
      queueDeadline = ticket.queueTimeout.map { now + $0 }
      shownLeft = ticket.shownTimeout
    }

    /// A request from the record, with what is left of its clocks. `queueLeft` does not count if it was shown before.
    init(
      ticket: PresentationTicket, phase: Phase, isCovered: Bool = false, generation: Int, timeLeft: Duration?,
      queueLeft: Duration?, now: Duration
    ) {
      self.ticket = ticket
      level = -1
      self.phase = phase
      self.isCovered = isCovered
      self.generation = generation
      deadline = timeLeft.map { now + $0 }
      queueDeadline = generation == 0 ? queueLeft.map { now + $0 } : nil
      shownLeft = ticket.shownTimeout
    }

    public var isShown: Bool { phase == .shown }

    /// The first of its deadlines.
    var nextDeadline: Duration? { [deadline, queueDeadline, shownDeadline, heldUntil].compactMap { $0 }.min() }

    mutating func startShownClock(at now: Duration) {
      guard let left = shownLeft else { return }
      shownDeadline = now + left
      shownLeft = nil
    }

    mutating func stopShownClock(at now: Duration) {
      guard let end = shownDeadline else { return }
      shownLeft = max(.zero, end - now)
      shownDeadline = nil
    }

    /// It was answered: from the next showing on the whole time is left.
    mutating func resetShownClock() {
      shownDeadline = nil
      shownLeft = ticket.shownTimeout
    }
  }

  /// What an event made of the queue, and what it takes to take it back.
  public struct Decision: Sendable {
    /// In the order in which they are to be recorded and carried out.
    public let changes: [PresentationChange]
    let before: OrderedDictionary<PresentationID, Entry?>
    let presenters: OrderedSet<PresenterID>
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

/// One attachment of a presenter to a surface.
public struct PresenterID: Sendable, Hashable {
  public let number: Int

  public init(_ number: Int) {
    self.number = number
  }
}
