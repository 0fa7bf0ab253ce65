import TestSupport

@testable import RouterCore

/// The rules of all surfaces, simple enough to be checked by reading: one flat array, scanned for every question.
///
/// Nothing derivable is stored: the stack, the queues and the deadlines are computed from the array. A queue is ordered by
/// priority, arrival, and the last time an item was moved to the head.
struct NaiveModel {
  struct Item {
    let ask: PresentationAsk
    let askedAt: Duration
    /// The number of the request, for first in, first out.
    let arrival: Int
    /// The sequence number of its last move to the head of the queue, or 0. The latest is first.
    var claim = 0
    /// Its user's turn in the queue, within its priority.
    var round = 0
    var isShown = false
    /// Whether it is shown and not covered.
    var isOnTop = false
    var generation = 0
    /// The time on top before the current showing.
    var shownFor = Duration.zero
    /// The start of the current time on top.
    var shownSince: Duration?
    var isAttached: Bool
    /// The names of the presenters that could not show it.
    var failed: Set<String> = []
    /// A flow item's last answer and its resolver.
    var lastAnswer: (answer: PresentationAnswer, extra: AnswerExtra, resolver: Presentation.Responder?)?

    /// The end of the grace period for its requester after a restart. It is hidden until the requester reconnects.
    var heldUntil: Duration?
    /// The end of a person's snooze.
    var snoozedUntil: Duration?

    init(ask: PresentationAsk, askedAt: Duration, arrival: Int) {
      self.ask = ask
      self.askedAt = askedAt
      self.arrival = arrival
      bytes = NaiveModel.bytes(of: ask)
      isAttached = ask.attached
    }

    var id: PresentationID { ask.id }
    var request: PresentationRequest { ask.request }
    /// The size of the recorded request.
    let bytes: Int
    var surface: String { ask.request.surface }
  }

  struct Attachment {
    let presenter: PresenterID
    let surface: String
    let identity: PresenterIdentity
    /// The only presentation that it may show.
    var only: PresentationID? { identity.scope.only }
  }

  /// A person's wish to see nothing of a user on a surface.
  struct Pause {
    let id: PresentationID
    let uid: UInt32
    let surface: String
    let until: Duration
    let by: Presentation.Responder

    func concerns(_ item: Item) -> Bool { (uid, surface) == (item.ask.uid, item.surface) }
  }

  /// A used key with its requester and presentation.
  struct Use {
    let key: IdempotencyKey
    let requester: Presentation.Requester
    let id: PresentationID
  }

  let limits: Presentation.Limits
  var items: [Item] = []
  var attachments: [Attachment] = []
  var pauses: [Pause] = []
  var isPaused = false
  /// Whether Router is off, and until when; the end stays until it was noticed.
  var isOff = false
  var offUntil: Duration?
  var arrivals = 0
  var claims = 0
  /// The highest generation of each presentation, committed or not.
  var highest: [PresentationID: Int] = [:]
  /// The keys of ended presentations that can still be looked up.
  var endedUses: [Use] = []
  /// The time of the last restart.
  var restartedAt = Duration.zero
  /// The time from which held presentations may be overtaken.
  var overtakingFrom: Duration?
  /// The changes made by the current input.
  var changes: [Change] = []

  init(limits: Presentation.Limits) {
    self.limits = limits
  }

  // MARK: Queries

  static func bytes(of ask: PresentationAsk) -> Int {
    (try? ask.request.normalized()).map { JSONText($0).bytes.count } ?? 0
  }

  func index(of id: PresentationID) -> Int? {
    for index in items.indices where items[index].id == id { return index }
    return nil
  }

  func item(_ id: PresentationID) -> Item? {
    index(of: id).map { items[$0] }
  }

  func presenters(on surface: String) -> [Attachment] {
    attachments.filter { $0.surface == surface }
  }

  /// Who may show an item, or would if it were its turn.
  func presenters(of item: Item) -> [Attachment] {
    if isOff { return [] }
    return presenters(on: item.surface).filter {
      ($0.only == nil || $0.only == item.id) && isUrgent(item, enoughFor: $0) && !item.failed.contains($0.identity.name)
    }
  }

  func isUrgent(_ item: Item, enoughFor attachment: Attachment) -> Bool {
    guard let least = attachment.identity.scope.priority else { return true }
    let order = PresentationOptions.Priority.allCases
    return order.firstIndex(of: item.request.priority)! >= order.firstIndex(of: least)!
  }

  /// The shown stack, bottom first.
  func stack(on surface: String) -> [Item] {
    var stack: [Item] = []
    var parent: PresentationID?
    while let next = shown(on: surface, over: parent) {
      stack.append(next)
      parent = next.id
    }
    return stack
  }

  /// The presentation shown directly over a parent, or at the bottom.
  func shown(on surface: String, over parent: PresentationID?) -> Item? {
    for item in items where item.isShown && item.request.over == parent && item.surface == surface { return item }
    return nil
  }

  /// The items that wait for the same place, next first, without those that are snoozed.
  func line(on surface: String, over parent: PresentationID?) -> [Item] {
    all(on: surface, over: parent).filter { $0.snoozedUntil == nil }
  }

  /// The items that wait for the same place, next first; the snoozed are last.
  func all(on surface: String, over parent: PresentationID?) -> [Item] {
    var line: [Item] = []
    for item in items where !item.isShown && item.request.over == parent && item.surface == surface { line.append(item) }
    if line.count > 1 { line.sort { goesBefore($0, $1) } }
    return line
  }

  private func goesBefore(_ left: Item, _ right: Item) -> Bool {
    if (left.snoozedUntil == nil) != (right.snoozedUntil == nil) { return left.snoozedUntil == nil }
    if left.claim != right.claim { return left.claim > right.claim }
    if left.claim == 0, left.request.priority != right.request.priority {
      return lane(of: left) < lane(of: right)
    }
    if left.claim == 0, left.round != right.round { return left.round < right.round }
    return left.arrival < right.arrival
  }

  /// A new item's turn: after the user's last item in the queue and after the current round.
  func round(of newcomer: Item) -> Int {
    if newcomer.request.over != nil || newcomer.claim > 0 { return 0 }
    let all = all(on: newcomer.surface, over: nil).filter { lane(of: $0) == lane(of: newcomer) }
    let line = all.filter { $0.snoozedUntil == nil }
    let current = line.first { $0.heldUntil == nil } ?? line.first
    let own = all.filter { $0.ask.uid == newcomer.ask.uid }.map(\.round)
    return ([current?.round ?? -1] + own).max()! + 1
  }

  /// The lane in the log: 0 for items moved to the head, then one per priority.
  func lane(of item: Item) -> Int {
    if item.claim > 0 { return 0 }
    switch item.request.priority {
    case .critical: return 1
    case .high: return 2
    case .normal: return 3
    case .low: return 4
    }
  }

  /// The number of presentations below an item in its stack.
  func level(of item: Item) -> Int {
    guard let parent = item.request.over, let below = self.item(parent) else { return 0 }
    return 1 + level(of: below)
  }

  /// The number of stacked non-flow presentations up to and including an item, without the bottom one.
  func depth(of item: Item) -> Int {
    guard !item.request.flow, let parent = item.request.over, let below = self.item(parent) else { return 0 }
    return 1 + depth(of: below)
  }

  /// The number of items ahead. Children of an item ahead do not count separately.
  func position(of item: Item) -> Int {
    if item.isShown { return 0 }
    let parent = item.request.over
    let inLine = all(on: item.surface, over: parent).firstIndex { $0.id == item.id }!
    let inPlace = shown(on: item.surface, over: parent) == nil ? 0 : 1
    if let parent, let below = self.item(parent), !below.isShown { return position(of: below) + 1 + inLine }
    return inPlace + inLine
  }

  /// The open presentations of a surface in display order.
  func ordered(on surface: String, over parent: PresentationID? = nil) -> [Item] {
    var ordered: [Item] = []
    if let first = shown(on: surface, over: parent) { ordered += [first] + self.ordered(on: surface, over: first.id) }
    for next in all(on: surface, over: parent) { ordered += [next] + self.ordered(on: surface, over: next.id) }
    return ordered
  }

  // MARK: Clocks

  /// The earliest deadline of an item.
  func deadline(of item: Item) -> Duration? {
    [end(of: item), item.heldUntil, item.snoozedUntil.map { max(restartedAt, $0) }].compactMap(\.self).min()
  }

  /// When an item expires.
  func end(of item: Item) -> Duration? {
    var times: [Duration] = []
    // A deadline that passed during downtime is due at the restart.
    if let timeout = item.request.timeout { times.append(max(restartedAt, item.askedAt + timeout)) }
    if item.generation == 0, let timeout = item.request.queueTimeout {
      times.append(max(restartedAt, item.askedAt + timeout))
    }
    if let since = item.shownSince, let timeout = item.request.shownTimeout {
      times.append(since + max(.zero, timeout - item.shownFor))
    }
    return times.min()
  }

  /// The next deadline on any surface.
  var nextDeadline: Duration? {
    var times = items.compactMap { deadline(of: $0) }
    if let offUntil { times.append(offUntil) }
    if let overtakingFrom, items.contains(where: { $0.heldUntil != nil }) { times.append(overtakingFrom) }
    return times.min()
  }
}
