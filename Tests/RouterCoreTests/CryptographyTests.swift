import RouterCore
import Testing

struct CryptographyTests {
  /// FIPS 180-4's examples, and the empty text.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `hashes with SHA-256`(text: String, hash: String) {
    #expect(Cryptography.sha256(Array(text.utf8)).hexadecimal == hash)
  }

  /// Test cases 2, 1 and 6 of RFC 4231, and empty inputs.
  @Test(arguments: [
    (Array("Jefe".utf8), "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (Array(repeating: 0x0B, count: 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
      Array(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ])
  func `computes HMAC-SHA-256`(key: [UInt8], text: String, code: String) {
    #expect(Cryptography.code(of: Array(text.utf8), key: key).hexadecimal == code)
  }

  @Test func `compares bytes`() {
    #expect(Cryptography.isEqual([], []) && Cryptography.isEqual([1, 2], [1, 2]))
    #expect(!Cryptography.isEqual([1, 2], [1, 3]) && !Cryptography.isEqual([1, 2], [1]) && !Cryptography.isEqual([0], []))
  }

  @Test func `makes different random bytes each time`() {
    let (first, second) = (Cryptography.randomBytes(32), Cryptography.randomBytes(32))
    #expect(first != second && Set(first).count > 4 && first.count == 32)
    #expect(Cryptography.randomBytes(0) == [])
  }

  @Test func `hashes on many threads at once`() async {
    let bytes = (0..<64).map { [UInt8](repeating: $0, count: 300) }
    let expected = bytes.map(Cryptography.sha256)
    await withTaskGroup(of: Bool.self) { tasks in
      for _ in 0..<8 { tasks.addTask { (0..<100).allSatisfy { _ in bytes.map(Cryptography.sha256) == expected } } }
      for await isSame in tasks { #expect(isSame) }
    }
  }
}
