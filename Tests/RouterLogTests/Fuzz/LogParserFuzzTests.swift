import Router
import TestSupport
import Testing

@testable import RouterLog

/// Fuzzing of the log's parsers: no input traps or hangs, and accepted rows round-trip.
@Suite struct LogParserFuzzTests {
  @Test func `rows of the log`() throws {
    let entries = try RecordedStory.entries(seed: 7, steps: 120)
    // One sample per kind: its name, then its detail.
    var samples: [AuditEvent.Kind: String] = [:]
    for entry in entries where entry.detailText.bytes.count < 2000 {
      samples[entry.kind] = "\(entry.kind.rawValue) \(entry.detailText)"
    }
    let at = Timestamp(milliseconds: 1_700_000_000_000)
    Fuzzer.run("rows of the log", samples.values.sorted()) { bytes, seed in
      let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2, let kind = AuditEvent.Kind(rawValue: String(decoding: parts[0], as: UTF8.self)),
        let detail = try? JSONValue(parsing: parts[1], maximumDepth: JSONValue.maximumWrappedDepth),
        let event = try? Event(at: at, kind: kind, presentation: nil, detail: detail)
      else { return false }
      let again = (try? JSONValue(parsing: event.detailText.bytes, maximumDepth: JSONValue.maximumWrappedDepth)).flatMap {
        try? Event(at: at, kind: kind, presentation: nil, detail: $0)
      }
      #expect(again == event, "seed \(seed)")
      return true
    }
  }

  @Test func `searches`() {
    Fuzzer.run("searches", ["deploy \"two words\" begin* *art"]) { bytes, _ in
      (try? AuditSearch(String(decoding: bytes, as: UTF8.self))) != nil
    }
  }
}
