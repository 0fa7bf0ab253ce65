import TestSupport

@testable import RouterCore

extension Ledger {
  /// Checks that nothing is lost and that the limits hold.
  func checkCounts(of machine: MachineUnderTest) throws(Violation) {
    try Violation.unless(machine.surfaces.count == open.count, "the machine's count is not requested minus resolved")
    try Violation.unless(requested == open.count + resolved.count, "something was lost from the record")
    guard let newest = open.last else { return }
    let (limits, user) = (machine.limits, newest.ask.uid)
    try Violation.unless(open.count <= limits.total, "more open than allowed in total")
    try Violation.unless(open.count { $0.surface == newest.surface } <= limits.perSurface, "too many on a surface")
    try Violation.unless(open.count { $0.ask.uid == user } <= limits.perUser, "too many of one user")
    let bytes = open.filter { $0.ask.uid == user }.reduce(0) { $0 + $1.presentation.requestText.bytes.count }
    try Violation.unless(bytes <= limits.bytesPerUser, "too many bytes of one user")
  }

  /// Checks a surface against the record. If the surface is settled, nothing may wait for a free place.
  func check(
    _ view: SurfaceView, of surface: String, in machine: MachineUnderTest, isSettled: Bool
  ) throws(Violation) {
    let lines = open.filter { $0.surface == surface }
    try Violation.unless(view.items.count == lines.count, "the machine lost something, or made it up")
    for line in lines {
      guard let item = view.items.first(where: { $0.id == line.id }), let entry = machine.surfaces.entry(line.id) else {
        throw Violation("\(line.id) is lost")
      }
      try Violation.unless(
        item.isShown == line.isShown && item.isCovered == line.presentation.covered
          && item.generation == line.presentation.generation,
        "\(line.id) is not as the record has it")
      try Violation.unless(
        entry.presentation == line.presentation, "\(entry.presentation) is not the fold \(line.presentation)")
      try Violation.unless(
        machine.committed.map { $0[line.id] == entry } ?? true, "\(line.id) is not as the coordinator keeps it")
    }
    try checkStack(view.stack, lines)
    if isSettled, !machine.surfaces.isSuspended { try checkNobodyWaitsIdly(lines) }
  }

  /// Checks that the stack has one root, each item stacked on the one before, and only the last one on top.
  private func checkStack(_ stack: [PresentationID], _ lines: [Line]) throws(Violation) {
    try Violation.unless(stack.count == lines.count { $0.isShown }, "the stack is not what is shown")
    var parent: PresentationID?
    for id in stack {
      guard let line = lines.first(where: { $0.id == id }) else { throw Violation("\(id) is on the stack, and not open") }
      try Violation.unless(line.ask.request.over == parent, "the stack is not one root and what is stacked on it")
      try Violation.unless(!line.isOnTop || id == stack.last, "\(id) is before the person, and not on top")
      parent = id
    }
  }

  private func checkNobodyWaitsIdly(_ lines: [Line]) throws(Violation) {
    // Held presentations may block the others for a while.
    if lines.contains(where: \.isHeld) { return }
    let ready = lines.filter { mayBeShown($0) && $0.presentation.snoozedUntil == nil }
    guard let top = lines.first(where: \.isOnTop) else {
      return try Violation.unless(!ready.contains { $0.ask.request.over == nil }, "nobody is before the person")
    }
    try Violation.unless(mayBeShown(top), "shown, and nobody may show it")
    try Violation.unless(!ready.contains { $0.ask.request.over == top.id }, "a child waits for a free place")
  }

  /// The open presentations that a coordinator starts with, in random order.
  func record(in random: inout SplitMix64) -> [Presentation] {
    open.map(\.presentation).shuffled(using: &random)
  }

  /// Applies the first decisions of the next coordinator.
  mutating func restart(_ events: [Event], at now: Duration, grace: Duration) throws(Violation) {
    note(Moment(now).wall)
    for index in open.indices {
      open[index].lastAnswer = nil
      open[index].isHeld = open[index].survivesRestart && open[index].presentation.attached
      highest[open[index].id] = open[index].presentation.generation
    }
    lastNumber = open.map(\.presentation.number).max() ?? 0
    overtakingFrom = now + min(grace, .seconds(1))
    seats = []
    try take(events, from: nil, at: now)
    try Violation.unless(open.allSatisfy(\.survivesRestart), "kept what nobody can come back for")
    try Violation.unless(!open.contains(where: \.isShown), "shown after a restart")
    try Violation.unless(
      open.allSatisfy { line in line.ask.request.shownTimeout.map { line.presentation.shownFor < $0 } ?? true },
      "kept what was shown for as long as it may be")
  }
}
