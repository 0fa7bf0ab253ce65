import FoundationEssentials
import RouterCore
import Testing

struct TimestampTests {
  @Test func `round-trips every millisecond of a few seconds`() {
    for start in [-2_001, 1_795_244_399_000, 951_782_399_000] as [Int64] {
      for milliseconds in start..<start + 2_002 {
        let timestamp = Timestamp(milliseconds: milliseconds)
        let text = timestamp.description
        #expect(text.utf8.count == 24 && text.hasSuffix("Z"))
        #expect(Timestamp(text) == timestamp)
      }
    }
  }

  @Test func `formats every day of four centuries like Foundation and reads it back`() {
    for day in Int64(-73_049)..<73_049 {
      let timestamp = Timestamp(milliseconds: day * 86_400_000 + 1)
      if Timestamp(timestamp.description) != timestamp { Issue.record("day \(day) is read as another") }
      let foundation = timestamp.date.formatted(.iso8601).dropLast() + ".001Z"
      if timestamp.description != foundation { Issue.record("day \(day) is written as another") }
    }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2026-11-21T07:00:00.123Z", 1_795_244_400_123),
      ("2026-11-21t07:00:00.123z", 1_795_244_400_123), ("2026-11-21T08:00:00.123+01:00", 1_795_244_400_123),
      ("2026-11-21T05:30:00.123-01:30", 1_795_244_400_123), ("2026-11-21T07:00:00-00:00", 1_795_244_400_000),
      ("2026-11-21T07:00:00.5Z", 1_795_244_400_500), ("2026-11-21T07:00:00.1234999Z", 1_795_244_400_123),
      ("2026-11-21T07:00:00.1235Z", 1_795_244_400_124), ("2026-11-21T07:00:00.9995Z", 1_795_244_401_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func `parses RFC 3339 times`(text: String, milliseconds: Int64) {
    #expect(Timestamp(text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      "", "2026-11-21", "2026-11-21T07:00Z", "2026-11-21T07:00:00", "2026-11-21 07:00:00Z", "20261121T070000Z",
      "2026-02-29T07:00:00Z", "1900-02-29T07:00:00Z", "2026-04-31T07:00:00Z", "2026-00-01T07:00:00Z", "2026-13-01T07:00:00Z",
      "2026-11-00T07:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z", "2026-11-21T07:00:61Z",
      "2026-11-21T07:00:00.Z", "2026-11-21T07:00:00,5Z", "2026-11-21T07:00:00Zjunk", " 2026-11-21T07:00:00Z",
      "2026-11-21T07:00:00GMT", "2026-11-21T07:00:00+0100", "2026-11-21T07:00:00+24:00", "2026-11-21T07:00:00+01:60",
      "+026-11-21T07:00:00Z", "-001-11-21T07:00:00Z", "２026-11-21T07:00:00Z",
    ])
  func `rejects anything that is not an RFC 3339 time`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `rounds dates to the millisecond`() {
    #expect(Timestamp(Date(timeIntervalSince1970: 1.2346)).milliseconds == 1235)
    #expect(Timestamp(Date(timeIntervalSince1970: -1.2346)).milliseconds == -1235)
    #expect(Timestamp(Timestamp(milliseconds: 1_795_244_400_123).date).milliseconds == 1_795_244_400_123)
  }

  @Test func `advances, compares and subtracts times`() {
    let early = Timestamp(milliseconds: 1_000)
    let late = early.advanced(by: .seconds(1.5))
    #expect(late.milliseconds == 2_500)
    #expect(early < late)
    #expect(early.duration(since: late) == .seconds(-1.5))
  }

  @Test func `encodes a time as its text`() throws {
    let timestamp = Timestamp(milliseconds: 1_795_244_400_123)
    #expect(try JSONValue(encoding: timestamp) == "2026-11-21T07:00:00.123Z")
    #expect(try JSONValue("2026-11-21T07:00:00.123Z").decode(Timestamp.self) == timestamp)
    #expect(throws: DecodingError.self) { try JSONValue("soon").decode(Timestamp.self) }
  }
}
