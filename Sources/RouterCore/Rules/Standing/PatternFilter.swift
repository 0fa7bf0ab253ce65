/// Finds, in one pass over a text, the patterns that cannot match it: each pattern has a short piece that must occur in the
/// text.
struct PatternFilter: Sendable {
  /// The lengths of pieces: long pieces occur in few texts, and each length costs another lookup per byte.
  private static let possible = [6, 4, 3, 2, 1]

  /// A hash table with open addressing: pieces as numbers, with the length in the high bits, and their ids.
  private let slots: [(piece: UInt64, id: Int32)]
  /// The lengths of pieces in use.
  private let lengths: [Int]
  /// The number of pieces.
  private let count: Int
  /// The id of each pattern's piece; -1 for a pattern with only wildcards.
  let pieces: [Int32]
  /// The number of patterns that share each piece.
  let uses: [Int]

  init(_ patterns: [TextPattern]) {
    let candidates = patterns.map(Self.candidates)
    var uses: [UInt64: Int] = [:]
    for piece in candidates.joined() { uses[piece, default: 0] += 1 }
    var ids: [UInt64: Int32] = [:]
    var shared: [Int] = []
    pieces = candidates.map { candidates in
      // Uses the rarest piece, so that a text with one pattern's piece rarely has those of the others.
      guard let piece = candidates.min(by: { (uses[$0]!, $0) < (uses[$1]!, $1) }) else { return -1 }
      let id = ids[piece] ?? Int32(ids.count)
      if ids.updateValue(id, forKey: piece) == nil { shared.append(0) }
      shared[Int(id)] += 1
      return id
    }
    (self.uses, count) = (shared, ids.count)
    lengths = Set(ids.keys.map { Int($0 >> 56) }).sorted()
    var slots: [(piece: UInt64, id: Int32)] = Array(repeating: (0, 0), count: 1 << (64 - (2 * ids.count).leadingZeroBitCount))
    for (piece, id) in ids {
      var slot = Self.slot(of: piece, slots.count)
      while slots[slot].piece != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = (piece, id)
    }
    self.slots = slots
  }

  /// The longest pieces of a pattern.
  private static func candidates(_ pattern: TextPattern) -> Set<UInt64> {
    let pieces = pattern.pieces
    let longest = pieces.map(\.count).max() ?? 0
    let length = possible.first { $0 <= longest } ?? 0
    var found: Set<UInt64> = []
    for piece in pieces where piece.count >= length && length > 0 {
      for start in 0...(piece.count - length) {
        found.insert(piece[start..<(start + length)].reduce(0) { $0 << 8 | UInt64($1) }.piece(of: length))
      }
    }
    return found
  }

  private static func slot(of piece: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: (piece &* 0x9E37_79B9_7F4A_7C15) >> 32) & (count - 1)
  }

  /// The ids of pieces found in texts.
  struct Found: Sendable {
    fileprivate var bits: [UInt64]

    func contains(_ id: Int32) -> Bool { bits[Int(id) / 64] & UInt64(1) << UInt64(id % 64) != 0 }
  }

  var nothing: Found { Found(bits: Array(repeating: 0, count: count / 64 + 1)) }

  /// Adds the pieces found in a text.
  func find(in text: some Collection<UInt8>, _ found: inout Found) {
    let mask = slots.count - 1
    slots.withUnsafeBufferPointer { slots in
      var (window, seen): (UInt64, Int) = (0, 0)
      for byte in text {
        window = window << 8 | UInt64(byte)
        seen += 1
        for length in lengths where length <= seen {
          let piece = window.piece(of: length)
          var slot = Self.slot(of: piece, slots.count)
          while slots[slot].piece != 0 {
            if slots[slot].piece == piece {
              let id = slots[slot].id
              found.bits[Int(id) / 64] |= UInt64(1) << UInt64(id % 64)
              break
            }
            slot = (slot + 1) & mask
          }
        }
      }
    }
  }
}

extension UInt64 {
  /// Returns the last bytes, with their count in the high bits.
  fileprivate func piece(of length: Int) -> UInt64 { self & ((1 << UInt64(8 * length)) - 1) | UInt64(length) << 56 }
}
