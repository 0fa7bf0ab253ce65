import RouterTesting

@testable import Router

extension Ledger {
  /// Nothing is lost, and the limits hold.
  func checkCounts(of machine: MachineUnderTest) throws(Violation) {
    try Violation.unless(machine.surfaces.count == open.count, "the machine's count is not requested minus resolved")
    try Violation.unless(requested == open.count + resolved.count, "something was lost from the record")
    guard let newest = open.last else { return }
    let (limits, user) = (machine.limits, newest.ticket.uid)
    try Violation.unless(open.count <= limits.total, "more open than allowed in total")
    try Violation.unless(open.count { $0.surface == newest.surface } <= limits.perSurface, "too many on a surface")
    try Violation.unless(open.count { $0.ticket.uid == user } <= limits.perUser, "too many of one user")
  }

  /// Whether a surface is in a state that the record allows. Where it is settled nobody waits for a place that is free.
  func check(
    _ view: SurfaceView, of surface: String, in machine: MachineUnderTest, isSettled: Bool
  ) throws(Violation) {
    let lines = open.filter { $0.surface == surface }
    try Violation.unless(view.items.count == lines.count, "the machine lost something, or made it up")
    for line in lines {
      guard let item = view.items.first(where: { $0.id == line.id }) else { throw Violation("\(line.id) is lost") }
      try Violation.unless(
        item.isShown == line.isShown && item.isCovered == (line.standing == .covered)
          && item.generation == line.generation,
        "\(line.id) is not as the record has it")
      if case .waiting(let place) = line.standing {
        try Violation.unless(
          machine.surfaces.queue(surface)?.entry(line.id)?.phase == .waiting(place),
          "\(line.id) has another place than on record")
      }
    }
    try checkStack(view.stack, lines)
    if isSettled, !machine.surfaces.isPaused, !view.presenters.isEmpty { try checkNobodyWaitsIdly(lines) }
  }

  /// One root, each next on the one before it, and nothing but the last before the person.
  private func checkStack(_ stack: [PresentationID], _ lines: [Line]) throws(Violation) {
    try Violation.unless(stack.count == lines.count { $0.isShown }, "the stack is not what is shown")
    var parent: PresentationID?
    for id in stack {
      guard let line = lines.first(where: { $0.id == id }) else { throw Violation("\(id) is on the stack, and not open") }
      try Violation.unless(line.ticket.over == parent, "the stack is not one root and what is stacked on it")
      try Violation.unless(line.standing == .covered || id == stack.last, "\(id) is before the person, and not on top")
      parent = id
    }
  }

  private func checkNobodyWaitsIdly(_ lines: [Line]) throws(Violation) {
    guard let top = lines.first(where: { $0.standing == .top }) else {
      let mayBeShown = lines.contains { $0.ticket.over == nil && $0.heldUntil == nil }
      return try Violation.unless(!mayBeShown, "nobody is before the person")
    }
    try Violation.unless(
      !lines.contains { $0.ticket.over == top.id && $0.heldUntil == nil }, "a child waits for a free place")
  }

  /// What waits for its requester to come back, and until when.
  var held: [PresentationID: Duration] {
    Dictionary(uniqueKeysWithValues: open.compactMap { line in line.heldUntil.map { (line.id, $0) } })
  }

  /// What a coordinator would start with: everything in line, what was shown at the head of it, the top first.
  mutating func restart(at now: Duration, with random: inout SplitMix64) -> [String: [PresentationQueue.Entry]] {
    for index in open.indices {
      open[index].lastAnswer = nil
      open[index].heldUntil = random.chance(30) ? now + .seconds(1 + random.below(4)) : nil
    }
    var rank = 0
    for line in open {
      if case .waiting(let place) = line.standing, place.lane == PresentationPlace.front { rank = min(rank, place.rank) }
    }
    while let index = open.firstIndex(where: { line in
      line.isShown && !open.contains { $0.ticket.over == line.id && $0.isShown }
    }) {
      rank -= 1
      open[index].standing = .waiting(PresentationPlace(lane: PresentationPlace.front, rank: rank))
    }
    let entries = open.shuffled(using: &random).map { line in
      guard case .waiting(let place) = line.standing else { preconditionFailure("\(line.id) is shown after a restart") }
      func left(_ timeout: Duration?) -> Duration? { timeout.map { line.askedAt + $0 - now } }
      var entry = PresentationQueue.Entry(
        ticket: line.ticket, phase: .waiting(place), generation: line.generation, timeLeft: left(line.ticket.timeout),
        queueLeft: left(line.ticket.queueTimeout), now: now)
      entry.heldUntil = line.heldUntil
      return (line.surface, entry)
    }
    return Dictionary(grouping: entries, by: \.0).mapValues { $0.map(\.1) }
  }
}
