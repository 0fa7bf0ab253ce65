import Crypto
import Testing

@testable import Router

struct SHA256Tests {
  private func hash(_ bytes: [UInt8]) -> [UInt8] {
    var sha = Router.SHA256()
    sha.update(bytes)
    return sha.finalize()
  }

  @Test func `it gives what swift-crypto gives for every length around a block and for random bytes`() {
    var random = SplitMix64(seed: 180_4)
    for count in Array(0...300) + [1000, 4096, 65_537] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(hash(bytes) == Array(Crypto.SHA256.hash(data: bytes)), "\(count) bytes")
    }
  }

  @Test func `a message in pieces is the message whole`() {
    let bytes = (0..<200).map { UInt8($0) }
    for cut in 0...200 {
      var sha = Router.SHA256()
      sha.update(bytes[..<cut])
      sha.update(bytes[cut...])
      #expect(sha.finalize() == hash(bytes), "cut at \(cut)")
    }
  }
}
