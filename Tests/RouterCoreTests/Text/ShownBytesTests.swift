import RouterCore
import TestSupport
import Testing

struct ShownBytesTests {
  @Test(
    arguments: [
      ([], ""), ([0x61, 0xFF], #"a\xff"#), ([0xC3, 0xA9, 0xC3], #"é\xc3"#), ([0xF0, 0x9F, 0x91, 0x61], #"\xf0\x9f\x91a"#),
      ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#), ([0xC0, 0xAF], #"\xc0\xaf"#), ([0x0A, 0x00], "\n\0"),
    ] as [([UInt8], String)])
  func `shows bytes that are not UTF-8`(bytes: [UInt8], text: String) {
    #expect(String(showing: bytes) == text)
  }

  @Test func `loses no byte`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }.filter { $0 != UInt8(ascii: #"\"#) }
      var read: [UInt8] = []
      var rest = Array(String(showing: bytes).utf8)[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: #"\"#) else {
          read.append(byte)
          continue
        }
        read += [UInt8](hexadecimal: String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)) ?? []
        rest = rest.dropFirst(3)
      }
      #expect(read == bytes, "seed \(seed)")
    }
  }
}
