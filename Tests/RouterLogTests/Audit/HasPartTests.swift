import RouterTesting
import TestSupport
import Testing

@testable import Router
@testable import RouterCore
@testable import RouterLog
@testable import RouterSystem
@testable import RouterTerminal

/// The SQL function that searches for a substring.
@Suite(.timeLimit(.minutes(10)))
struct HasPartTests {
  @Test func `finds the same substrings as a naive search`() throws {
    let connection = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    // A small alphabet produces many near misses. Its symbols differ from each other only in the bit for the letter case.
    let alphabet = Array("aAbB@`[{é".utf8)
    func text(_ count: Int) -> String {
      String(decoding: (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }, as: UTF8.self)
    }
    for _ in 0..<4000 {
      let (whole, part) = (text(Int(random.next() % 70)), text(1 + Int(random.next() % 5)).lowercasedASCII)
      let (bytes, wanted) = (Array(whole.lowercasedASCII.utf8), Array(part.utf8))
      let isThere =
        bytes.count >= wanted.count
        && (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
      let found = try connection.integer("SELECT has_part(?, NULL, ?)", [.text(part), .text(whole)])
      #expect(found == (isThere ? 1 : 0), "'\(part)' in '\(whole)', seed \(seed)")
    }
  }
}

extension String {
  fileprivate var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}
