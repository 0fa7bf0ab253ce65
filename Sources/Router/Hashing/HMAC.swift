/// A keyed hash (RFC 2104) with SHA-256: proof that a text was written by whoever has the key.
package enum HMAC {
  /// The authentication code of a message, 32 bytes.
  package static func sha256(_ message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? hash(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + Array(message)))
  }

  /// Whether two codes are the same, in a time that does not tell where they differ.
  package static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var sha = SHA256()
    sha.update(bytes)
    return sha.finalize()
  }
}
