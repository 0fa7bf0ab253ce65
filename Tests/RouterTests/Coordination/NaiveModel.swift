@testable import Router

/// The rules of all surfaces, simple enough to be checked by reading: one flat array, scanned for every question.
///
/// Nothing is kept that can be worked out: the stack, the lines and the deadlines are questions to the array. What tells the
/// members of a line apart is their priority, when they came, and when they were last put ahead of everybody.
struct NaiveModel {
  struct Item {
    let ask: PresentationAsk
    let askedAt: Duration
    /// The number of the request: first in, first out goes by this.
    let arrival: Int
    /// The number of the time that it was put ahead of everybody in line, 0 for never. The latest is first.
    var claim = 0
    /// Which turn of its user it is, in line and within its priority.
    var round = 0
    var isShown = false
    /// Whether it is before the person: shown, and not covered.
    var isOnTop = false
    var generation = 0
    /// For how long it was before a person, up to the present showing.
    var shownFor = Duration.zero
    /// Since when it is before a person.
    var shownSince: Duration?
    var isAttached: Bool
    /// What a flow's item was answered last, and who brought it.
    var lastAnswer: (answer: PresentationAnswer, resolver: Resolver?)?

    /// Until when its requester may come back after a restart; it is not shown before.
    var heldUntil: Duration?

    init(ask: PresentationAsk, askedAt: Duration, arrival: Int) {
      self.ask = ask
      self.askedAt = askedAt
      self.arrival = arrival
      isAttached = ask.attached
    }

    var id: PresentationID { ask.id }
    var request: PresentationRequest { ask.request }
    var surface: String { ask.request.surface }
  }

  struct Attachment: Equatable {
    let presenter: PresenterID
    let surface: String
  }

  /// A key that has been used, and whether its presentation has ended.
  struct Use {
    let key: IdempotencyKey
    let requester: Requester
    let id: PresentationID
  }

  let limits: PresentationSurfaces.Limits
  var items: [Item] = []
  var attachments: [Attachment] = []
  var isPaused = false
  var arrivals = 0
  var claims = 0
  /// The highest generation of each, on record or not.
  var highest: [PresentationID: Int] = [:]
  /// The keys of what has ended and can be asked about.
  var endedUses: [Use] = []
  /// When the last restart was.
  var restartedAt = Duration.zero
  /// Before this time nothing overtakes what is held.
  var overtakingFrom: Duration?
  /// The changes of the input under way.
  var changes: [Change] = []

  init(limits: PresentationSurfaces.Limits) {
    self.limits = limits
  }

  // MARK: Questions

  func index(of id: PresentationID) -> Int? {
    for index in items.indices where items[index].id == id { return index }
    return nil
  }

  func item(_ id: PresentationID) -> Item? {
    index(of: id).map { items[$0] }
  }

  func presenters(on surface: String) -> [PresenterID] {
    attachments.filter { $0.surface == surface }.map(\.presenter)
  }

  /// What is shown, the bottom first.
  func stack(on surface: String) -> [Item] {
    var stack: [Item] = []
    var parent: PresentationID?
    while let next = shown(on: surface, over: parent) {
      stack.append(next)
      parent = next.id
    }
    return stack
  }

  /// What is shown directly on a presentation, or at the bottom.
  func shown(on surface: String, over parent: PresentationID?) -> Item? {
    for item in items where item.isShown && item.request.over == parent && item.surface == surface { return item }
    return nil
  }

  /// Who waits for the same place, the next first.
  func line(on surface: String, over parent: PresentationID?) -> [Item] {
    var line: [Item] = []
    for item in items where !item.isShown && item.request.over == parent && item.surface == surface { line.append(item) }
    if line.count > 1 { line.sort { goesBefore($0, $1) } }
    return line
  }

  private func goesBefore(_ left: Item, _ right: Item) -> Bool {
    if left.claim != right.claim { return left.claim > right.claim }
    if left.claim == 0, left.request.priority != right.request.priority {
      return lane(of: left) < lane(of: right)
    }
    if left.claim == 0, left.round != right.round { return left.round < right.round }
    return left.arrival < right.arrival
  }

  /// The turn of a newcomer: after the user's last in line, and after the round whose turn it is.
  func round(of newcomer: Item) -> Int {
    if newcomer.request.over != nil || newcomer.claim > 0 { return 0 }
    let line = line(on: newcomer.surface, over: nil).filter { lane(of: $0) == lane(of: newcomer) }
    let current = line.first { $0.heldUntil == nil } ?? line.first
    let own = line.filter { $0.ask.uid == newcomer.ask.uid }.map(\.round)
    return ([current?.round ?? -1] + own).max()! + 1
  }

  /// The lane that the record gives: 0 for whoever was put ahead, then one for each priority.
  func lane(of item: Item) -> Int {
    if item.claim > 0 { return 0 }
    switch item.request.priority {
    case .critical: return 1
    case .high: return 2
    case .normal: return 3
    case .low: return 4
    }
  }

  /// How many presentations a presentation is stacked on, one on another.
  func level(of item: Item) -> Int {
    guard let parent = item.request.over, let below = self.item(parent) else { return 0 }
    return 1 + level(of: below)
  }

  /// How many of a stack are on top of each other and of no flow, up to an item; the bottom one does not count.
  func depth(of item: Item) -> Int {
    guard !item.request.flow, let parent = item.request.over, let below = self.item(parent) else { return 0 }
    return 1 + depth(of: below)
  }

  /// How many are ahead; what is stacked on something that is ahead is not counted by itself.
  func position(of item: Item) -> Int {
    if item.isShown { return 0 }
    let parent = item.request.over
    let inLine = line(on: item.surface, over: parent).firstIndex { $0.id == item.id }!
    let inPlace = shown(on: item.surface, over: parent) == nil ? 0 : 1
    if let parent, let below = self.item(parent), !below.isShown { return position(of: below) + 1 + inLine }
    return inPlace + inLine
  }

  /// Everything open on a surface in the order in which it will be shown.
  func ordered(on surface: String, over parent: PresentationID? = nil) -> [Item] {
    var ordered: [Item] = []
    if let first = shown(on: surface, over: parent) { ordered += [first] + self.ordered(on: surface, over: first.id) }
    for next in line(on: surface, over: parent) { ordered += [next] + self.ordered(on: surface, over: next.id) }
    return ordered
  }

  // MARK: Clocks

  /// When the first of an item's clocks is over.
  func deadline(of item: Item) -> Duration? {
    var times: [Duration] = []
    // What ran out while no coordinator was there is due when the next one starts.
    if let timeout = item.request.timeout { times.append(max(restartedAt, item.askedAt + timeout)) }
    if item.generation == 0, let timeout = item.request.queueTimeout {
      times.append(max(restartedAt, item.askedAt + timeout))
    }
    if let since = item.shownSince, let timeout = item.request.shownTimeout {
      times.append(since + max(.zero, timeout - item.shownFor))
    }
    if let time = item.heldUntil { times.append(time) }
    return times.min()
  }

  /// When something is due next, on any surface.
  var nextDeadline: Duration? {
    var times = items.compactMap { deadline(of: $0) }
    if let overtakingFrom, items.contains(where: { $0.heldUntil != nil }) { times.append(overtakingFrom) }
    return times.min()
  }
}
