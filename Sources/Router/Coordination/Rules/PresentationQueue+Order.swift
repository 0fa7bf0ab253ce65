/// What follows from the entries, without changing them. A flow may be deep: nothing here calls itself.
extension PresentationQueue {
  /// How many are ahead of it; 0 for what is shown.
  package func position(of id: PresentationID) -> Int {
    var ahead = 0
    var next = id
    while let entry = entries[next], !entry.isShown {
      let place = entry.presentation.place
      guard let parent = entry.request.over else {
        return ahead + (stack.isEmpty ? 0 : 1) + line.countAhead(of: next, at: place)
      }
      ahead += linesOver[parent]?.countAhead(of: next, at: place) ?? 0
      if entries[parent]?.isShown == true { return ahead + (above(parent) == nil ? 0 : 1) }
      ahead += 1
      next = parent
    }
    return ahead
  }

  /// The position of everything that waits, in one go: a deep stack that waits costs each the way down.
  package var positions: [PresentationID: Int] {
    var positions: [PresentationID: Int] = [:]
    func inLine(_ line: PresentationLine?, ahead: Int) -> [(PresentationID, Int)] {
      (line?.ids ?? []).enumerated().map { ($1, ahead + $0) }
    }
    var next = inLine(line, ahead: stack.isEmpty ? 0 : 1)
    for id in stack { next += inLine(linesOver[id], ahead: id == stack.last ? 0 : 1) }
    while let (id, position) = next.popLast() {
      positions[id] = position
      next += inLine(linesOver[id], ahead: position + 1)
    }
    return positions
  }

  /// Whose turn it is. What is held keeps its place, and is overtaken only after ``overtakingFrom``.
  func next(at now: Duration) -> PresentationID? {
    let line = stack.last.map { linesOver[$0] } ?? line
    if let overtakingFrom, now < overtakingFrom {
      return line?.first.flatMap { entries[$0]!.heldUntil == nil ? $0 : nil }
    }
    return line?.first { entries[$0]!.heldUntil == nil }
  }

  /// Everything open, in the order in which it will be shown; the stack with its bottom first.
  package var ordered: [PresentationID] {
    var ordered: [PresentationID] = []
    var next: [PresentationID] = (stack.prefix(1) + line.ids).reversed()
    while let id = next.popLast() {
      ordered.append(id)
      next += children(of: id).reversed()
    }
    return ordered
  }

  /// Everything open, each after what is stacked on it; in the order in which it will be shown otherwise.
  var topsFirst: [PresentationID] {
    (stack.prefix(1) + line.ids).flatMap { descendants(of: $0) + [$0] }
  }

  /// Whether an answer on that showing would count.
  package func checkShown(_ id: PresentationID, generation: Int?) throws(PresentationRejection) {
    guard let entry = entries[id] else { throw .notOpen }
    guard entry.isShown else { throw .notPresented }
    guard stack.last == id, !entry.isCovered else { throw .covered }
    let current = entry.presentation.generation
    if let generation, generation != current { throw .staleGeneration(current) }
  }

  /// What is, or waits to be, stacked on a presentation, in the order in which it ends with it: the top of the stack first.
  func descendants(of id: PresentationID) -> [PresentationID] {
    var found: [PresentationID] = []
    var next = children(of: id)
    while let id = next.popLast() {
      found.append(id)
      next += children(of: id)
    }
    return found.reversed()
  }

  /// Who holds the place that is asked for: what is shown there, else the head of the line.
  func rival(of request: PresentationRequest) -> PresentationID? {
    guard let parent = request.over else { return stack.first ?? line.first }
    return above(parent) ?? linesOver[parent]?.first
  }

  /// How many are stacked on each other from the bottom, or from what is part of a flow, up to a presentation.
  func depth(of id: PresentationID) -> Int {
    var depth = 0
    var next = id
    while let entry = entries[next], !entry.request.flow, let parent = entry.request.over {
      depth += 1
      next = parent
    }
    return depth
  }

  func hasOpen(of owner: Owner) -> Bool { entries.values.contains { $0.owner == owner } }

  /// What is shown directly on top of a presentation, and who waits to be, in order.
  private func children(of id: PresentationID) -> [PresentationID] {
    (above(id).map { [$0] } ?? []) + (linesOver[id]?.ids ?? [])
  }

  private func above(_ id: PresentationID) -> PresentationID? {
    guard let entry = entries[id], entry.isShown, entry.presentation.level + 1 < stack.count else { return nil }
    return stack[entry.presentation.level + 1]
  }
}
