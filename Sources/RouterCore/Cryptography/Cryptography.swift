import CCrypto

/// The cryptography that Router needs, by the system's libcrypto (Docs/Decisions/dependencies.md).
package enum Cryptography {
  /// The size of a SHA-256 hash and of a code, in bytes.
  package static let hashSize = Int(crypto_sha256_size)

  private static let loaded: Result<Void, RouterError> = {
    guard let reason = crypto_load() else { return .success(()) }
    return .failure(
      RouterError(
        .unavailable, "cannot load libcrypto: \(String(cString: reason)). Install OpenSSL (the package libssl3 on Debian)"))
  }()

  /// Loads libcrypto. The other functions load it too, but end the process on failure.
  package static func load() throws(RouterError) {
    try loaded.get()
  }

  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    make(hashSize) { crypto_sha256(bytes, bytes.count, $0) }
  }

  /// The HMAC-SHA-256 code of `bytes`.
  package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    make(hashSize) { crypto_hmac_sha256(key, key.count, bytes, bytes.count, $0) }
  }

  /// Compares two byte strings in a time that depends only on their sizes.
  package static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    requireLibrary()
    return first.count == second.count && crypto_is_equal(first, second, first.count)
  }

  package static func randomBytes(_ count: Int) -> [UInt8] {
    make(count) { crypto_random($0, count) }
  }

  private static func make(_ count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8] {
    requireLibrary()
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let start = buffer.baseAddress {
        guard fill(start) else { fatalError("libcrypto failed: there is too little memory") }
      }
      initialized = count
    }
  }

  private static func requireLibrary() {
    if case .failure(let error) = loaded { fatalError(error.description) }
  }
}
