/// A pattern as a nondeterministic automaton, simulated with Thompson's algorithm.
struct FormPatternAutomaton: Sendable {
  enum State {
    case match
    case one(set: Int, next: Int)
    case start(next: Int)
    case end(next: Int)
    case split(Int, Int)
  }

  private(set) var states: [State] = [.match]
  private let sets: [ScalarSet]
  private var entry = 0

  package init(_ node: FormPatternNode, sets: [ScalarSet]) throws(JSONError) {
    self.sets = sets
    entry = try add(node, before: 0)
  }

  /// Returns whether a match starts anywhere. `steps` grows by at most `2 * states.count + 1` for each position in the
  /// text.
  func matches(_ text: String, steps: inout Int) -> Bool {
    /// The last position at which each state was reached, so that each state is followed once per position.
    var reached = [Int](repeating: -1, count: states.count)
    /// The states to follow at this position, and those reached that consume a code point.
    var pending: [Int] = []
    var waiting: [(set: Int, next: Int)] = []
    /// A cache per set of the last tested position and its result: many states may share a set.
    var asked = [(position: Int, contains: Bool)](repeating: (-1, false), count: sets.count)
    var scalars = text.unicodeScalars.makeIterator()
    var position = 0
    while true {
      let scalar = scalars.next()
      pending.append(entry)
      while let state = pending.popLast() {
        steps += 1
        guard reached[state] != position else { continue }
        reached[state] = position
        switch states[state] {
        case .match: return true
        case .one(let set, let next): waiting.append((set, next))
        case .start(let next): if position == 0 { pending.append(next) }
        case .end(let next): if scalar == nil { pending.append(next) }
        case .split(let first, let second):
          pending.append(second)
          pending.append(first)
        }
      }
      guard let scalar else { return false }
      for (set, next) in waiting {
        if asked[set].position != position { asked[set] = (position, sets[set].contains(scalar)) }
        if asked[set].contains { pending.append(next) }
      }
      steps += waiting.count
      waiting.removeAll(keepingCapacity: true)
      position += 1
    }
  }

  private mutating func add(_ state: State) throws(JSONError) -> Int {
    guard states.count < FormPattern.maximumStates else {
      throw JSONError("is a pattern that is too large: its repetitions make more than \(FormPattern.maximumStates) states")
    }
    states.append(state)
    return states.count - 1
  }

  /// Adds a node's states and returns the first; returns `next` without adding any if the node matches only the empty string.
  private mutating func add(_ node: FormPatternNode, before next: Int) throws(JSONError) -> Int {
    switch node {
    case .one(let set): return try add(.one(set: set, next: next))
    case .start: return try add(.start(next: next))
    case .end: return try add(.end(next: next))
    case .sequence(let nodes):
      var entry = next
      for node in nodes.reversed() { entry = try add(node, before: entry) }
      return entry
    case .alternatives(let nodes):
      var entry = try add(nodes[nodes.count - 1], before: next)
      for node in nodes.dropLast().reversed() { entry = try add(.split(try add(node, before: next), entry)) }
      return entry
    case .repeated(let node, let least, let most):
      return try add(node, least: least, most: most, before: next)
    }
  }

  private mutating func add(_ node: FormPatternNode, least: Int, most: Int?, before next: Int) throws(JSONError) -> Int {
    var entry = next
    if let most {
      for _ in least..<most {
        let once = try add(node, before: entry)
        // Repeating the empty pattern adds nothing. Without this, `((){999}){999}` would loop a million times.
        if once == entry { break }
        entry = try add(.split(once, next))
      }
    } else {
      entry = try add(.split(next, next))
      states[entry] = .split(try add(node, before: entry), next)
    }
    for _ in 0..<least {
      let once = try add(node, before: entry)
      if once == entry { break }
      entry = once
    }
    return entry
  }
}
