import OrderedCollections
import RouterCore
import TestSupport
import Testing

struct JSONReaderTests {
  @Test(
    arguments: [
      (#"{"a":1,"a":2}"#, "/a", "appears twice"),
      (#"{"a":{"b/c":1,"b/c":2}}"#, "/a/b~1c", "appears twice"),
      (#"[1,{"x~y":tru}]"#, "/1/x~0y", "where a value is expected"),
      (#""\ud800""#, "", "lone surrogate"), (#""\udc00""#, "", "lone surrogate"), (#""\ud800\u0041""#, "", "lone surrogate"),
      (#""\ud800\n""#, "", "lone surrogate"), (#""\u12g4""#, "", "four hexadecimal digits"),
      (#""\u+123""#, "", "four hexadecimal digits"), (#""\x""#, "", "unknown escape"), (#""a"#, "", "not closed"),
      ("\"\u{1}\"", "", "control character"), ("\"\n\"", "", "control character"), ("\"\t\"", "", "control character"),
      ("1 2", "", "after the value"), ("{}x", "", "after the value"), ("nullnull", "", "after the value"),
      ("", "", "where a value is expected"), (" ", "", "where a value is expected"), ("\u{FEFF}1", "", "unexpected"),
      ("01", "", "after the value"), ("-", "", "a digit"), ("1.", "", "a digit"), (".5", "", "unexpected"),
      ("1e", "", "a digit"), ("1e+", "", "a digit"), ("+1", "", "unexpected"), ("NaN", "", "unexpected"),
      ("0x10", "", "after the value"), ("[1,]", "/1", "where a value is expected"), ("[1 2]", "", "',' or ']'"),
      (#"{"a":1,}"#, "", "a key in quotes"), ("{a:1}", "", "a key in quotes"), (#"{"a" 1}"#, "", "':'"),
      (#"{"a":1 "b":2}"#, "", "',' or '}'"), ("'a'", "", "unexpected"), ("// a\n1", "", "unexpected"),
      ("True", "", "unexpected"),
    ])
  func `rejects invalid JSON and reports its location`(text: String, pointer: String, message: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.pointer == pointer)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22],
    ] as [[UInt8]])
  func `rejects invalid UTF-8`(bytes: [UInt8]) {
    #expect(throws: JSONError("a string is not valid UTF-8")) { try JSONValue(parsing: bytes) }
  }

  @Test func `reads 32 nested levels and rejects 33`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    func members(_ levels: Int) -> String {
      String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }
    _ = try JSONValue(parsing: nested(32))
    _ = try JSONValue(parsing: members(32))
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(33)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: members(33)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(100_000)) }
    _ = try JSONValue(parsing: nested(40), maximumDepth: 40)
  }

  @Test func `members keep their order`() throws {
    let text = #"{"z":1,"a":{"y":2,"b":3},"m":[4]}"#
    let value = try JSONValue(parsing: text)
    #expect(value.object.map { Array($0.keys) } == ["z", "a", "m"])
    #expect(value.description == text)
  }

  @Test(arguments: ["0", "-0", "1.0", "1e0", "1E+2", "0.10", "123456789012345678901234567890", "1e400", "-1.5e-10"])
  func `preserves a number's literal`(literal: String) throws {
    let value = try JSONValue(parsing: literal)
    #expect(value.description == literal)
  }

  @Test func `recognizes a whole number in any notation`() throws {
    for literal in ["3", "3.0", "3e0", "30e-1"] { #expect(try JSONValue(parsing: literal).number?.integer == 3) }
    for literal in ["3.5", "1e400", "1e30"] { #expect(try JSONValue(parsing: literal).number?.integer == nil) }
    #expect(try JSONValue(parsing: "9223372036854775807").number?.integer == Int.max)
    #expect(JSONValue.Number(Double.nan) == nil)
    #expect(JSONValue.Number(Double.infinity) == nil)
    #expect(JSONValue.Number(2.0)?.literal == "2")
  }

  @Test func `shortens a client's name to 64 code points in messages`() {
    let exact = String(repeating: "é", count: 64)
    #expect(exact.shortened == exact)
    #expect((exact + "b").shortened == String(repeating: "é", count: 63) + "…")
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(marks.count == 1)
    #expect(marks.shortened.unicodeScalars.count == 64)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"\(marks)\":1,\"\(marks)\":2}") }
    #expect(error?.message.utf8.count ?? 0 < 256)
  }

  @Test func `escapes control characters of a client's name in messages`() {
    #expect("a\u{1B}[2J\u{202E}b\u{9B}".shortened == #"a\u{1B}[2J\u{202E}b\u{9B}"#)
    let error = RouterError(JSONError("is wrong", at: "/\u{1B}c"))
    #expect((error.message, error.field) == (#"cannot accept /\u{1B}c: is wrong"#, "/\u{1B}c"))
    let twice = #expect(throws: JSONError.self) { try JSONValue(parsing: #"{"\u202e":1,"\u202e":2}"#) }
    #expect(twice?.message == #"the key "\u{202E}" appears twice"#)
  }

  @Test func `decodes escape sequences`() throws {
    #expect(try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀"))
  }

  @Test func `round-trips random values`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let value = JSONValue.random(levels: 4, using: &random)
      #expect(try JSONValue(parsing: value.bytes) == value, "seed \(seed)")
    }
    print("seed of the JSON round trips: \(seed)")
  }

  @Test func `reads or rejects random bytes without trapping`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    let alphabet = Array(#"{}[]",:\u0123eE+-.tfn "#.utf8) + [0xC3, 0xA9, 0x00, 0xFF]
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect((try? JSONValue(parsing: value.bytes)) == value, "seed \(seed), \(bytes)")
    }
    print("seed of the JSON byte strings: \(seed)")
  }

  @Test func `converts Codable values to JSON and back`() throws {
    struct Point: Codable, Equatable {
      var x: Int
      var name: String?
    }
    let value = try JSONValue(encoding: Point(x: 1, name: "a/b"))
    #expect(value == ["name": "a/b", "x": 1])
    #expect(try value.decode(Point.self) == Point(x: 1, name: "a/b"))
    #expect(try JSONValue(encoding: "top").decode(String.self) == "top")
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Double.infinity) }
    #expect(throws: DecodingError.self) { try JSONValue("no").decode(Point.self) }
  }
}

extension JSONValue {
  static func random(levels: Int, using random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(levels > 0 ? 6 : 4), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .number(Number(Double(bitPattern: random.next())) ?? Number(Int(truncatingIfNeeded: random.next())))
    case 3: .string(text(using: &random))
    case 4: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(levels: levels - 1, using: &random) })
    default:
      .object(
        (0..<Int.random(in: 0..<4, using: &random)).reduce(into: OrderedDictionary()) { members, _ in
          members[text(using: &random)] = .random(levels: levels - 1, using: &random)
        })
    }
  }

  private static func text(using random: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
