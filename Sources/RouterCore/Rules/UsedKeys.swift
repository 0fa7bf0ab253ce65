/// A bounded memory of the idempotency keys of ended presentations: a Bloom filter of 1 MB.
///
/// It has no false negatives. With half a million keys, about one new key in 400 is a false positive; a log query then decides.
package struct UsedKeys: Sendable {
  private static let bitCount = 1 << 23
  private static let hashCount = 4

  /// Allocated when the first key is added.
  private var words: [UInt64] = []

  package init() {}

  package mutating func insert(_ scope: IdempotencyKey.Scope) {
    if words.isEmpty { words = Array(repeating: 0, count: Self.bitCount / 64) }
    for bit in Self.bits(of: scope) { words[bit >> 6] |= 1 << UInt64(bit & 63) }
  }

  func mayContain(_ scope: IdempotencyKey.Scope) -> Bool {
    !words.isEmpty && Self.bits(of: scope).allSatisfy { words[$0 >> 6] & 1 << UInt64($0 & 63) != 0 }
  }

  mutating func formUnion(_ other: UsedKeys) {
    if words.isEmpty {
      words = other.words
    } else {
      for index in other.words.indices { words[index] |= other.words[index] }
    }
  }

  /// The bits of a key, all derived from two hashes (Kirsch and Mitzenmacher, Less Hashing, Same Performance, 2006).
  private static func bits(of scope: IdempotencyKey.Scope) -> some Sequence<Int> {
    let hash = UInt(bitPattern: scope.hashValue)
    let (first, step) = (hash & 0xFFFF_FFFF, hash >> 32 | 1)
    return (0..<UInt(hashCount)).lazy.map { Int((first &+ $0 &* step) % UInt(bitCount)) }
  }
}
