import RouterCore
import TestSupport
import Testing

/// Patterns of rules, compared with a plain matcher that tries everything.
struct TextPatternTests {
  @Test(arguments: [
    ("git", "git", Certainty.yes), ("git", "gitk", .no), ("git", "Git", .no), ("", "", .no),
    ("/usr/*/claude", "/usr/bin/claude", .yes), ("/usr/*/claude", "/usr/local/bin/claude", .no),
    ("/usr/**/claude", "/usr/local/bin/claude", .yes), ("**", "", .yes), ("**", "a/b\nc", .yes), ("*", "a/b", .no),
    ("prod/*", "prod/a", .yes), ("prod/*", "prod/../etc", .no), ("prod/**", "prod/../etc", .unknown), ("a?c", "abc", .yes),
    ("a?c", "a/c", .no), ("a?c", "ac", .no), ("?", "é", .yes), ("caf\u{E9}", "cafe\u{301}", .no), (#"\*"#, "*", .yes),
    (#"\*"#, "x", .no), (#"a\\b"#, #"a\b"#, .yes), ("a*b*c", "axxbyyc", .yes), ("a*b*c", "axxbyy", .no), ("*", ".", .unknown),
    ("x*", "x", .yes), ("***", "a/b", .yes), ("/home/ada/.ssh/**", "/home/ada//.ssh/x", .unknown),
    ("/s/*", "/s/./a", .unknown), ("/s/*", "/s/b/../a", .unknown), ("/etc/passwd", "/etc//passwd", .unknown),
    ("https://a.b/**", "https://a.b/c", .yes), ("a*", "a//b", .no), ("HEAD~*", "HEAD~1..HEAD", .yes),
  ])
  func `matches whole texts`(pattern: String, text: String, expected: Certainty) throws {
    guard !pattern.isEmpty else {
      #expect(throws: JSONError.self) { try TextPattern(pattern) }
      return
    }
    #expect(try TextPattern(pattern).match(text) == expected)
  }

  @Test(arguments: ["", "[ab]", "a\\", String(repeating: "a", count: 1025)])
  func `refuses what it would misread`(text: String) { #expect(throws: JSONError.self) { try TextPattern(text) } }

  @Test func `does not look for wildcards in long texts, except for a beginning`() throws {
    let text = "/s/" + String(repeating: "a", count: 5000)
    #expect(try TextPattern("/s/**").match(text) == .yes)
    #expect(try TextPattern("/t/**").match(text) == .no)
    #expect(try TextPattern("/s/*b").match(text) == .unknown)
    #expect(try TextPattern(TextPattern.escaping(text.prefix(1000).description)).match(text) == .no)
  }

  @Test func `takes time in proportion to the text, for patterns that make others go back`() throws {
    let pattern = try TextPattern(String(repeating: "**a", count: 100))
    #expect(pattern.match(String(repeating: "a", count: 99)) == .no)
    #expect(pattern.match(String(repeating: "a", count: 2000)) == .yes)
    #expect(pattern.match(String(repeating: "a", count: 1999) + "b") == .no)
  }

  @Test func `matches as a matcher does that tries everything`() throws {
    var random = SplitMix64(seed: 35)
    for _ in 0..<20_000 {
      let pattern = random.text(of: ["a", "b", "/", "*", "**", "?", "é"], upTo: 6)
      let text = random.text(of: ["a", "b", "/", "é", "."], upTo: 7)
      // Those are compared in another form too.
      guard !pattern.isEmpty, !text.contains("."), !text.contains("//") else { continue }
      let isMatch = try TextPattern(pattern).match(text) != .no
      #expect(
        isMatch == Self.matches(Array(pattern.unicodeScalars)[...], Array(text.unicodeScalars)[...]),
        "\(pattern) and \(text)")
    }
  }

  /// The plain matcher.
  static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*":
      if rest.first == "*" {
        let after = rest.drop { $0 == "*" }
        return (0...text.count).contains { matches(after, text.dropFirst($0)) }
      }
      let length = text.prefix { $0 != "/" }.count
      return (0...length).contains { matches(rest, text.dropFirst($0)) }
    case "?": return text.first.map { $0 != "/" && matches(rest, text.dropFirst()) } ?? false
    default: return text.first == first && matches(rest, text.dropFirst())
    }
  }

  @Test func `escapes any text to a pattern that matches it only`() throws {
    var random = SplitMix64(seed: 36)
    for _ in 0..<2000 {
      let text = random.text(of: ["a", "*", "?", "[", "]", "\\", "/"], upTo: 8)
      let other = random.text(of: ["a", "*", "?", "[", "]", "\\", "/"], upTo: 8)
      guard !text.isEmpty else { continue }
      let pattern = try TextPattern(TextPattern.escaping(text))
      #expect(pattern.match(text) == .yes && (pattern.match(other) == .yes) == (text == other))
    }
  }

  @Test(
    arguments: [
      (["git", "status"], ["git", "status"], Certainty.yes), (["git", "status"], ["git", "status", "-s"], .no),
      (["git", "..."], ["git"], .yes), (["git", "..."], ["git", "a", "b"], .yes),
      (["git", "...", "-f", "..."], ["git", "-f"], .yes),
      (["git", "...", "-f", "..."], ["git", "a", "-f", "b"], .yes), (["git", "...", "-f", "..."], ["git", "a"], .no),
      (["...", "x"], ["x", "x"], .yes), (["...", "x"], ["x", "y"], .no), (["cat", "/s/**"], ["cat", "/s/../etc"], .unknown),
      (["cat", "/s/**"], ["cat", "/t"], .no), (["rm", "...", "*"], ["rm"], .no),
    ] as [([String], [String], Certainty)])
  func `matches arguments, with any number for three dots`(elements: [String], arguments: [String], expected: Certainty) throws
  {
    let pattern = try ArgumentPattern(elements.map { $0 == "..." ? .rest : .one([try TextPattern($0)]) })
    #expect(pattern.match(arguments) == expected)
  }
}

extension SplitMix64 {
  fileprivate mutating func text(of parts: [String], upTo count: Int) -> String {
    (0..<below(count + 1)).map { _ in pick(parts) }.joined()
  }
}
