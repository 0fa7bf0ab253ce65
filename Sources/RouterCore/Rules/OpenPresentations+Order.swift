/// Queries on the entries. Iterative, since a flow can be deep.
extension OpenPresentations {
  /// The number of presentations ahead of it; 0 if it is shown.
  package func position(of id: PresentationID) -> Int {
    var ahead = 0
    var next = id
    while let entry = entries[next], !entry.isShown {
      guard let parent = entry.request.over else {
        return ahead + (stack.isEmpty ? 0 : 1) + line.countAhead(of: entry)
      }
      ahead += linesOver[parent]?.countAhead(of: entry) ?? 0
      if entries[parent]?.isShown == true { return ahead + (above(parent) == nil ? 0 : 1) }
      ahead += 1
      next = parent
    }
    return ahead
  }

  /// The queue positions of all presentations, in one pass. Computing them separately would walk down a deep stack each time.
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

  /// All open presentations in display order; the stack bottom first.
  package var ordered: [PresentationID] {
    var ordered = stack
    var next: [PresentationID] = (stack.reversed().flatMap { linesOver[$0]?.ids ?? [] } + line.ids).reversed()
    while let id = next.popLast() {
      ordered.append(id)
      next += (linesOver[id]?.ids ?? []).reversed()
    }
    return ordered
  }

  /// A key whose lexicographic order is that of ``ordered``, for sorting a few presentations.
  package func orderKey(of id: PresentationID) -> [Int] {
    var path: [Int] = []
    var next = id
    while let entry = entries[next], !entry.isShown {
      guard let parent = entry.request.over else { return [stack.count, line.countAhead(of: entry)] + path.reversed() }
      path.append(linesOver[parent]?.countAhead(of: entry) ?? 0)
      next = parent
    }
    let index = stack.firstIndex(of: next) ?? 0
    // Those that wait to be stacked follow the stack, for its top first.
    return path.isEmpty ? [index - stack.count] : [stack.count - 1 - index] + path.reversed()
  }

  /// All open presentations in display order, each after the presentations stacked on it.
  var topsFirst: [PresentationID] {
    (stack.prefix(1) + line.ids).flatMap { descendants(of: $0) + [$0] }
  }

  /// Throws unless an answer to this generation would be accepted.
  package func checkShown(_ id: PresentationID, generation: Int?) throws(PresentationRejection) {
    guard let entry = entries[id] else { throw .notOpen }
    guard entry.isShown else { throw .notPresented }
    guard stack.last == id, !entry.isCovered else { throw .covered }
    let current = entry.presentation.generation
    if let generation, generation != current { throw .staleGeneration(current) }
  }

  /// The presentations stacked on it or waiting to be, in the order in which they end: top of the stack first.
  func descendants(of id: PresentationID) -> [PresentationID] {
    let above = stack.firstIndex(of: id).map { stack[($0 + 1)...] } ?? []
    return above.reversed().flatMap { waiting(over: $0) + [$0] } + waiting(over: id)
  }

  /// The presentations that wait to be stacked on another, each after those that wait for it.
  private func waiting(over id: PresentationID) -> [PresentationID] {
    var found: [PresentationID] = []
    var next = linesOver[id]?.ids ?? []
    while let id = next.popLast() {
      found.append(id)
      next += linesOver[id]?.ids ?? []
    }
    return found.reversed()
  }

  /// The presentation that a request competes with: the shown one, otherwise the head of the queue.
  func rival(of request: PresentationRequest) -> PresentationID? {
    guard let parent = request.over else { return stack.first ?? line.first }
    return above(parent) ?? linesOver[parent]?.first
  }

  /// The depth of a presentation in the stack, counted from the bottom or from the flow that it is stacked on.
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
  func count(of host: String) -> Int { entries.values.count { $0.owner.host == host } }

  /// The presentation shown directly on top of it.
  private func above(_ id: PresentationID) -> PresentationID? {
    stack.firstIndex(of: id).flatMap { $0 + 1 < stack.count ? stack[$0 + 1] : nil }
  }
}
