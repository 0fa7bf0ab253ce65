/// The part of a pattern from its first wildcard on: a list of units with loops between them.
struct Wildcards: Sendable, Hashable {
  private enum Unit: Sendable, Hashable {
    case byte(UInt8)
    /// One character: `?`.
    case one
  }

  /// The wildcard between two units.
  private enum Loop: Sendable, Hashable {
    case nothing
    /// Any text without a slash: `*`.
    case run
    /// Any text: `**`.
    case all
  }

  private var units: [Unit] = []
  /// The loop before each unit, and the final one.
  private var loops: [Loop] = [.nothing]
  /// The bytes after the last wildcard.
  private(set) var suffix: [UInt8] = []

  var isEmpty: Bool { units.isEmpty && loops == [.nothing] }
  /// Whether the pattern is only `**`.
  var isAnything: Bool { units.isEmpty && loops == [.all] }
  /// Whether the pattern consists only of stars.
  var hasNoUnits: Bool { units.isEmpty }

  mutating func addStar() {
    loops[loops.count - 1] = loops.last == .nothing ? .run : .all
    suffix = []
  }

  mutating func addOne() {
    units.append(.one)
    loops.append(.nothing)
    suffix = []
  }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      units.append(.byte(byte))
      loops.append(.nothing)
    }
    suffix += bytes
  }

  /// The literal texts between wildcards.
  var pieces: [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    for (unit, loop) in zip(units, loops) {
      if loop != .nothing { pieces.append([]) }
      if case .byte(let byte) = unit { pieces[pieces.count - 1].append(byte) } else { pieces.append([]) }
    }
    return pieces.filter { !$0.isEmpty }
  }

  /// The minimum number of matching bytes.
  var leastCount: Int { units.count }

  /// The number of 64-bit words for the states.
  var words: Int { units.count / 64 + 1 }

  /// Whether the pattern matches the entire UTF-8. Each bit of the state is a number of units that may have been consumed, so
  /// there is no backtracking: a byte takes as many steps as there are ``words``.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    let words = words
    // For each byte, the units that accept it, followed by the units and loops that span several bytes.
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (256 + 5) * words) { memory in
      memory.initialize(repeating: 0)
      let (ones, rests, runs, alls) = (256 * words, 257 * words, 258 * words, 259 * words)
      let state = 260 * words
      for (index, unit) in units.enumerated() {
        let (word, bit) = ((index + 1) / 64, UInt64(1) << UInt64((index + 1) % 64))
        switch unit {
        case .byte(let byte): memory[Int(byte) * words + word] |= bit
        case .one:
          memory[ones + word] |= bit
          memory[rests + word] |= bit
        }
      }
      for (index, loop) in loops.enumerated() {
        let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
        if loop == .run { memory[runs + word] |= bit }
        if loop == .all { memory[alls + word] |= bit }
      }
      memory[state] = 1
      return bytes.withUnsafeBufferPointer { bytes in
        for byte in bytes {
          let (isSlash, isRest) = (byte == UInt8(ascii: "/"), byte & 0xC0 == 0x80)
          let row = Int(byte) * words
          var (carry, any): (UInt64, UInt64) = (0, 0)
          for word in 0..<words {
            let now = memory[state + word]
            var next = (now << 1 | carry) & (memory[row + word] | (isSlash || isRest ? 0 : memory[ones + word]))
            next |= now & (memory[alls + word] | (isSlash ? 0 : memory[runs + word]) | (isRest ? memory[rests + word] : 0))
            carry = now >> 63
            memory[state + word] = next
            any |= next
          }
          if any == 0 { return false }
        }
        return memory[state + units.count / 64] & UInt64(1) << UInt64(units.count % 64) != 0
      }
    }
  }
}
