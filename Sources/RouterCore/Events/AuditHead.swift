/// A position in the hash chain, written `HASH@SEQ`. Each event stores the SHA-256 of the previous event's hash and its
/// own stored bytes (Docs/Decisions/hash-chain.md). To detect tampering later, keep a head outside the log.
package struct AuditHead: Sendable, Hashable, LosslessStringConvertible {
  /// The event's number; 0 before the first.
  package private(set) var seq: Int64
  /// SHA-256, 32 bytes; zeros before the first event.
  package private(set) var hash: [UInt8]

  package init(seq: Int64, hash: [UInt8]) {
    self.seq = seq
    self.hash = hash
  }

  package init() {
    self.init(seq: 0, hash: Array(repeating: 0, count: Cryptography.hashSize))
  }

  /// Parses 64 hexadecimal digits, `@` and a number; returns `nil` for anything else.
  package init?(_ description: String) {
    let parts = description.split(at: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let hash = [UInt8](hexadecimal: parts[0]), hash.count == Cryptography.hashSize,
      let seq = Int64(parts[1]), seq >= 0
    else { return nil }
    self.init(seq: seq, hash: hash)
  }

  package var description: String { "\(hash.hexadecimal)@\(seq)" }

  /// Appends an event, given the stored text of its columns, with the detail as UTF-8. A `NULL` presentation hashes
  /// differently from any text.
  package mutating func append(at: String, type: String, presentation: String?, detail: some Collection<UInt8>) {
    // A damaged file can contain any number.
    seq &+= 1
    var bytes = hash
    bytes.reserveCapacity(hash.count + detail.count + 96)
    // The first four fields cannot contain a line break and the detail comes last, so the framing is unambiguous.
    bytes.append(contentsOf: "\(seq)\n".utf8)
    for text in [at, type, presentation.map { "=" + $0 } ?? ""] {
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(contentsOf: detail)
    hash = Cryptography.sha256(bytes)
  }
}
