import Testing

@testable import Router

/// Expected values are Python's hashlib's.
struct SHA256Tests {
  private func hash(_ bytes: [UInt8]) -> String {
    var sha = SHA256()
    sha.update(bytes)
    return hex(sha.finalize())
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the standard's examples come out as it says`(message: String, expected: String) {
    #expect(hash(Array(message.utf8)) == expected)
  }

  /// `sha = sha256(); for n in [*range(301), 1000, 4096, 65537]: sha.update(sha256(bytes((i*i*7 + n*31 + i) & 255 for i in
  /// range(n))).digest())`
  @Test func `every length around a block hashes as elsewhere`() {
    var all = SHA256()
    for count in Array(0...300) + [1000, 4096, 65_537] {
      var sha = SHA256()
      sha.update((0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 * 7 + count * 31 + $0) })
      all.update(sha.finalize())
    }
    #expect(hex(all.finalize()) == "67112b186f4c90a0cc6221bab5da7b84438c7e5112ac596e1b92ecbf4d7491a6")
  }

  @Test func `a message in pieces is the message whole`() {
    let bytes = (0..<200).map { UInt8($0) }
    for cut in 0...200 {
      var sha = SHA256()
      sha.update(bytes[..<cut])
      sha.update(bytes[cut...])
      #expect(hex(sha.finalize()) == hash(bytes), "cut at \(cut)")
    }
  }

  @Test(.enabled(if: SHA256.isAccelerated, "this processor has no instructions for it"))
  func `the processor's instructions give what the code does`() {
    for count in 0..<300 {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
      let fast = message.withUnsafeBytes { SHA256.hash($0, accelerated: true) }
      let slow = message.withUnsafeBytes { SHA256.hash($0, accelerated: false) }
      #expect(fast == slow, "\(count) bytes")
    }
  }
}
