import OrderedCollections

/// The rules of all surfaces together: a ``PresentationQueue`` for each, and what spans them, the limits and whose id is where.
///
/// A value, as each queue is.
public struct PresentationSurfaces: Sendable {
  /// How many presentations may be open, and how many may be stacked.
  public struct Limits: Sendable, Hashable {
    public var perSurface: Int
    public var perUser: Int
    public var total: Int
    /// How many presentations may be stacked on one, or on a screen of a flow. A flow's own screens do not count.
    public var stackDepth: Int

    public init(perSurface: Int = 10_000, perUser: Int = 10_000, total: Int = 100_000, stackDepth: Int = 1) {
      self.perSurface = perSurface
      self.perUser = perUser
      self.total = total
      self.stackDepth = stackDepth
    }
  }

  public let limits: Limits
  private(set) var queues: [String: PresentationQueue] = [:]
  private var surfaceOf: [PresentationID: String] = [:]
  private var uidOf: [PresentationID: UInt32] = [:]
  private var countOf: [UInt32: Int] = [:]
  private(set) var isPaused = false

  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// What one event changed, on one surface.
  public struct Decision: Sendable {
    public let surface: String
    public var changes: [PresentationChange] { queue.changes }
    let queue: PresentationQueue.Decision
  }

  // MARK: What it knows

  /// How many are open.
  public var count: Int { surfaceOf.count }
  /// The surfaces that have something open or somebody who shows, by name.
  public var names: [String] { queues.keys.sorted() }
  /// The earliest of the queues' deadlines.
  public var nextDeadline: Duration? { queues.values.lazy.compactMap { $0.nextDeadline }.min() }

  /// The surface on which a presentation is open.
  public func surface(of id: PresentationID) -> String? { surfaceOf[id] }

  /// The rules of one surface.
  public func queue(_ surface: String) -> PresentationQueue? { queues[surface] }

  /// How many are ahead of a presentation.
  public func position(of id: PresentationID) -> Int {
    surfaceOf[id].flatMap { queues[$0]?.position(of: id) } ?? 0
  }

  // MARK: Inputs

  /// Decides what an event changes.
  public mutating func handle(
    _ event: PresentationEvent, at now: Duration
  ) throws(PresentationRejection) -> Decision {
    switch event {
    case .request(let ticket, let surface):
      // Before the limits, so that a full queue does not tell somebody else's id from one that never was.
      if let parent = ticket.over, surfaceOf[parent] != surface || uidOf[parent] != ticket.uid { throw .unknownParent }
      try checkLimits(for: ticket, on: surface)
      return try change(surface) { queue throws(PresentationRejection) in try queue.request(ticket, at: now) }
    case .answer(let id, let generation, let answer, let resolver):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in
        try queue.answer(id, generation: generation, with: answer, by: resolver, at: now)
      }
    case .dismiss(let id, let generation, let resolver):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in
        try queue.dismiss(id, generation: generation, by: resolver, at: now)
      }
    case .fail(let id, let generation, let detail, let resolver):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in
        try queue.fail(id, generation: generation, detail: detail, by: resolver, at: now)
      }
    case .cancel(let id, let reason, let resolver):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in
        try queue.cancel(id, reason: reason, by: resolver, at: now)
      }
    case .finish(let id, _):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in try queue.finish(id, at: now) }
    case .claim(let id):
      return try change(surfaceOf[id]) { queue throws(PresentationRejection) in try queue.claim(id, at: now) }
    case .attach(let presenter, let surface):
      return try change(surface) { queue throws(PresentationRejection) in queue.attach(presenter, at: now) }
    case .detach(let presenter, let surface):
      return try change(surface) { queue throws(PresentationRejection) in queue.detach(presenter, at: now) }
    }
  }

  /// Ends what is due on every surface; nothing is returned for a surface where nothing changed.
  public mutating func expire(at now: Duration) -> [Decision] {
    // Asked before every event: what has nothing due is not even sorted.
    let due = queues.indices.compactMap { index in
      queues.values[index].nextDeadline.map { $0 <= now } == true ? queues.keys[index] : nil
    }
    return due.isEmpty ? [] : onEach(due.sorted()) { $0.expire(at: now) }
  }

  /// Stops showing anything new: the log cannot be written.
  public mutating func pause() {
    isPaused = true
    for name in queues.keys { queues[name]!.pause() }
  }

  /// Shows what should be shown by now.
  public mutating func resume(at now: Duration) -> [Decision] {
    isPaused = false
    return onEach(names) { $0.resume(at: now) }
  }

  /// The coordinator went down: what was shown goes back to the head of its line.
  public mutating func interrupt(at now: Duration) -> [Decision] {
    onEach(names) { $0.interrupt(at: now) }
  }

  /// Takes back decisions that could not be recorded, given from the first to the last that was made.
  public mutating func revert(_ decisions: [Decision]) {
    for (surface, decisions) in Dictionary(grouping: decisions, by: \.surface) {
      makeQueue(surface)
      queues[surface]!.revert(decisions.map(\.queue))
      index(decisions.flatMap(\.queue.before.keys), on: surface)
      dropQueueIfEmpty(surface)
    }
  }

  /// Takes in what was on record when the coordinator started.
  public mutating func restore(_ entries: [PresentationQueue.Entry], on surface: String) {
    makeQueue(surface)
    queues[surface]!.restore(entries)
    index(entries.map(\.ticket.id), on: surface)
    dropQueueIfEmpty(surface)
  }

  // MARK: Bookkeeping

  private func checkLimits(for ticket: PresentationTicket, on surface: String) throws(PresentationRejection) {
    if count >= limits.total { throw .full(.total) }
    if countOf[ticket.uid, default: 0] >= limits.perUser { throw .full(.user) }
    if let queue = queues[surface], queue.count >= limits.perSurface { throw .full(.surface) }
  }

  private mutating func makeQueue(_ surface: String) {
    guard queues[surface] == nil else { return }
    var queue = PresentationQueue(stackDepth: limits.stackDepth)
    if isPaused { queue.pause() }
    queues[surface] = queue
  }

  private mutating func dropQueueIfEmpty(_ surface: String) {
    if let queue = queues[surface], queue.count == 0, queue.presenters.isEmpty { queues[surface] = nil }
  }

  /// Lets an event change one queue in place; `nil` is no surface at all.
  private mutating func change(
    _ surface: String?,
    _ body: (inout PresentationQueue) throws(PresentationRejection) -> PresentationQueue.Decision
  ) throws(PresentationRejection) -> Decision {
    guard let surface else { throw .notOpen }
    makeQueue(surface)
    defer { dropQueueIfEmpty(surface) }
    let decision = try body(&queues[surface]!)
    index(decision.before.keys, on: surface)
    return Decision(surface: surface, queue: decision)
  }

  private mutating func onEach(
    _ names: [String], _ body: (inout PresentationQueue) -> PresentationQueue.Decision
  ) -> [Decision] {
    names.compactMap { name in
      let decision = body(&queues[name]!)
      index(decision.before.keys, on: name)
      dropQueueIfEmpty(name)
      return decision.changes.isEmpty ? nil : Decision(surface: name, queue: decision)
    }
  }

  /// Brings whose id is where, the counts, and the set of queues in line with what a queue says of these ids.
  private mutating func index(_ ids: some Sequence<PresentationID>, on surface: String) {
    for id in ids {
      let entry = queues[surface]?.entry(id)
      if let entry, surfaceOf[id] == nil {
        surfaceOf[id] = surface
        uidOf[id] = entry.ticket.uid
        countOf[entry.ticket.uid, default: 0] += 1
      } else if entry == nil, surfaceOf.removeValue(forKey: id) != nil, let uid = uidOf.removeValue(forKey: id) {
        countOf[uid]! -= 1
        if countOf[uid] == 0 { countOf[uid] = nil }
      }
    }
  }
}
