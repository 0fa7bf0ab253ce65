import Crypto

/// The hash chain: each event carries SHA-256 over the hash of the event before it and over its own stored bytes, so that
/// nothing in the middle can be changed or taken out unnoticed. Docs/Decisions/hash-chain.md has the exact form.
struct AuditChain: Sendable, Hashable {
  /// The last event's number; 0 before the first.
  private(set) var seq: Int64
  /// The last event's hash; 32 zero bytes before the first.
  private(set) var hash: [UInt8]

  /// Before the first event.
  init() {
    seq = 0
    hash = Array(repeating: 0, count: SHA256.Digest.byteCount)
  }

  /// After an event on record.
  init(seq: Int64, hash: [UInt8]) {
    self.seq = seq
    self.hash = hash
  }

  /// Adds an event, given as the texts that are stored.
  ///
  /// - Parameter detail: Its UTF-8.
  mutating func append(at: String, type: String, presentation: String?, detail: some Collection<UInt8>) {
    seq += 1
    var bytes = hash
    bytes.reserveCapacity(hash.count + detail.count + 96)
    // None of the first four can hold a line break, and the detail is the last: the framing has one reading.
    bytes.append(contentsOf: "\(seq)\n".utf8)
    for text in [at, type, presentation ?? ""] {
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes.append(contentsOf: detail)
    hash = Array(SHA256.hash(data: bytes))
  }
}
