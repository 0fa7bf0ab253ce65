import TestSupport
import Testing

@testable import RouterCore

// Promise P37.
struct FormPatternTests {
  @Test(
    arguments: [
      ("", "", true), ("", "any", true), ("b", "abc", true), ("b", "ac", false), ("^b", "ab", false), ("^a", "ab", true),
      ("b$", "ab", true), ("a$", "ab", false), ("^a$", "a\n", false), ("^$", "", true), ("^$", "a", false),
      ("a^b", "ab", false),
      ("a$b", "ab", false), ("(^a|b$)c?", "xb", true), ("(^)*a", "ba", true), ("^(a|^b)c", "bc", true), ("$^", "", true),
      ("^.$", "é", true), ("^.$", "e\u{301}", false), ("^..$", "e\u{301}", true), ("^.$", "😀", true), ("^.$", "\n", false),
      ("^.$", "\r", false), ("^.$", "\u{2028}", false), ("^.$", "\u{85}", true), ("^..$", "\r\n", false),
      ("^\\s\\s$", "\r\n", true),
      ("é", "e\u{301}", false), ("e\u{301}", "é", false), ("^e", "e\u{301}", true), ("\u{301}", "e\u{301}", true),
      ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/\\-$", "^$\\.*+?()[]{}|/-", true), ("\\.", "a", false),
      ("^\\t\\n\\r$", "\t\n\r", true), ("^\\u00e9\\u00E9$", "éé", true), ("^\\ud83d\\uDE00$", "😀", true),
      ("^\\u0041$", "B", false),
      ("^\\d+$", "0123456789", true), ("^\\d$", "٣", false), ("^\\D$", "٣", true), ("^\\D$", "7", false),
      ("^\\w+$", "azAZ09_", true), ("\\w", "é-\u{17F}\u{212A}", false), ("^\\W$", "é", true), ("\\W", "a_0", false),
      ("^\\s+$", "\t\n\u{B}\u{C}\r \u{A0}\u{1680}\u{2000}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}", true),
      ("\\s", "\u{85}\u{200B}\u{180E}", false), ("^\\S+$", "\u{85}\u{200B}", true), ("\\S", " \u{FEFF}", false),
      ("^[abc]$", "b", true), ("^[abc]$", "d", false), ("^[^abc]$", "d", true), ("^[^abc]$", "\n", true),
      ("[^abc]", "cab", false),
      ("^[a-cx-z]+$", "abcxyz", true), ("[a-cx-z]", "dw", false), ("^[-a]+$", "a-", true), ("^[a-]+$", "a-", true),
      ("^[a\\-c]+$", "a-c", true), ("[a\\-c]", "b", false), ("^[a-c-e]+$", "b-e", true), ("[a-c-e]", "d", false),
      ("^[--.]+$", "-.", true),
      ("^[.*+?(){}|$/^]+$", ".*+?(){}|$/^", true), ("^[[]$", "[", true), ("^[\\]\\\\]+$", "]\\", true),
      ("^[\\d\\s]+$", "1 2", true),
      ("^[\\D]$", "1", false), ("^[^\\D]$", "1", true), ("^[\\s\\S]$", "\n", true), ("[^\\s\\S]", "a\n", false),
      ("^[\\u0061-\\u0063]$", "b", true), ("^[\\t-\\r]$", "\n", true), ("^[😀-😂]$", "😁", true),
      ("^[\\ud83d\\ude00]$", "😀", true),
      ("^[A-\\]]$", "]", true), ("^a*$", "", true), ("^a*$", "aaa", true), ("^a*$", "ab", false), ("^a+$", "", false),
      ("^a+$", "aa", true),
      ("^a?$", "", true), ("^a?$", "aa", false), ("^a{2}$", "aa", true), ("^a{2}$", "a", false), ("^a{2}$", "aaa", false),
      ("^a{2,}$", "a", false), ("^a{2,}$", "aaaa", true), ("^a{1,3}$", "", false), ("^a{1,3}$", "aaa", true),
      ("^a{1,3}$", "aaaa", false),
      ("^a{0}$", "", true), ("^a{0}$", "a", false), ("^a{0,}$", "aa", true), ("^a*?b+?c??d{1,2}?$", "aabcd", true),
      ("^(ab)+$", "abab", true), ("^(ab)+$", "aba", false), ("^(?:ab|c){2}$", "cab", true), ("^ab|cd$", "abx", true),
      ("^(ab|cd)$", "abx", false), ("a||b", "x", true), ("^(|a)$", "", true), ("^(a|)b$", "b", true), ("^()$", "", true),
      ("^(a*)*$", "aaa", true), ("^(a*)+b$", "aab", true), ("^(a?){3}$", "aa", true), ("^(a?){3}$", "aaaa", false),
      ("^(()*)+$", "", true),
      ("^((()){999}){999}$", "", true), ("^((a{0}){999}){999}$", "a", false), ("^(a|ab)(c|bcd)$", "abcd", true),
      ("^\\d{3}-\\d{4}$", "555-1234", true), ("^[A-Za-z0-9._-]{1,64}$", "a_name.of-1", true),
      ("^#[0-9a-f]{6}$", "#00ff7F", false),
    ])
  func `matches patterns as ECMA-262 specifies`(pattern: String, text: String, expected: Bool) throws {
    #expect(try FormPattern(pattern).matches(text) == expected)
  }

  @Test(
    arguments: [
      ("a\\1", "has a back-reference at character 2"), ("\\k<a>", "has a back-reference at character 1"),
      ("é(?=a)", "has a look-ahead at character 2"), ("(?!a)", "has a look-ahead at character 1"),
      ("(?<=a)", "has a look-behind at character 1"), ("(?<!a)", "has a look-behind at character 1"),
      ("(?<n>a)", "has a named group at character 1"), ("(?P<n>a)", "has a named group at character 1"),
      ("(?>a)", "has an atomic group at character 1"), ("(?i)a", "has a flag at character 1"),
      ("(?-i:a)", "has a flag at character 1"),
      ("(?#a)", "has a group of another kind than '(?:' at character 1"),
      ("(?", "has a group of another kind than '(?:' at character 1"),
      ("a\\b", "has a word boundary at character 2"), ("\\B", "has a word boundary at character 1"),
      ("\\p{L}", "has a Unicode property at character 1"), ("[\\P{L}]", "has a Unicode property at character 2"),
      ("\\A", "has the escape '\\A' at character 1"), ("\\x41", "has the escape '\\x' at character 1"),
      ("\\0", "has the escape '\\0' at character 1"), ("\\u{41}", "has the escape '\\u{' at character 1"),
      ("\\é", "has an escape of no syntax character at character 1"), ("a*+", "has a possessive repetition at character 2"),
    ])
  func `reports unsupported syntax and its position`(pattern: String, message: String) {
    let message = message + ", which form patterns do not support"
    #expect(throws: JSONError(message)) { try FormPattern(pattern) }
  }

  @Test(
    arguments: [
      ("(a", "has a '(' without its ')' at character 1"), ("a)", "has a ')' without its '(' at character 2"),
      ("a(?:b", "has a '(' without its ')' at character 2"), ("[a", "has a '[' without its ']' at character 1"),
      ("[a-", "has a '[' without its ']' at character 1"), ("[a-\\", "has a '\\' with nothing after it at character 4"),
      ("[]a]", "has an empty class at character 1"), ("[^]", "has an empty class at character 1"),
      ("[b-a]", "has a range whose end is before its start at character 2"),
      ("[\\d-z]", "has a range that does not go from a character to a character at character 2"),
      ("[a-\\d]", "has a range that does not go from a character to a character at character 2"),
      ("*a", "has a '*' with nothing before it to repeat at character 1"),
      ("a**", "has a repetition of a repetition at character 3"), ("a???", "has a repetition of a repetition at character 4"),
      ("a{1,250}{1,3}", "has a repetition of a repetition at character 9"),
      ("(+)", "has a '+' with nothing before it to repeat at character 2"),
      ("^*", "has a repetition of an anchor at character 2"), ("a${2}", "has a repetition of an anchor at character 3"),
      ("{2}", "has a '{' without '\\' before it at character 1"), ("a}", "has a '}' without '\\' before it at character 2"),
      ("a]", "has a ']' without '\\' before it at character 2"), ("a{", "has a '{' that begins no count at character 2"),
      ("a{,2}", "has a '{' that begins no count at character 2"), ("a{2,b}", "has a '{' that begins no count at character 2"),
      ("a{2", "has a '{' that begins no count at character 2"),
      ("a{3,2}", "has a count whose end is less than its start at character 2"),
      ("a\\", "has a '\\' with nothing after it at character 2"),
      ("\\u00e", "has a '\\u' without its four hexadecimal digits at character 1"),
      ("\\u00eg", "has a '\\u' without its four hexadecimal digits at character 1"),
      ("\\ud83d", "has a lone surrogate at character 1"), ("\\ude00\\ud83d", "has a lone surrogate at character 1"),
      ("\\ud83d\\u0041", "has a lone surrogate at character 1"),
    ])
  func `reports malformed syntax and its position`(pattern: String, message: String) {
    #expect(throws: JSONError(message)) { try FormPattern(pattern) }
  }

  @Test func `rejects a pattern that exceeds the size limits`() throws {
    func refused(_ pattern: String) -> String? {
      do throws(JSONError) {
        _ = try FormPattern(pattern)
        return nil
      } catch {
        return error.message
      }
    }
    _ = try FormPattern(String(repeating: "a", count: 256))
    #expect(refused(String(repeating: "a", count: 257))?.contains("more than 256 bytes") == true)
    #expect(refused(String(repeating: "é", count: 129))?.contains("more than 256 bytes") == true)
    #expect(try FormPattern("a{999}").automaton.states.count == 1000)
    for pattern in [
      "a{1000}", "a{500,}b{500,}", "a{1,501}", "(a{1,250}){1,3}", "(a{32}){32}", "((a|b){99}){99}", "(((a*){999}){999}){999}",
    ] {
      #expect(refused(pattern)?.contains("more than 1000 states") == true, "\(pattern)")
    }
    for pattern in ["a{1001}", "a{0,1001}", "(){99999999999999999999}"] {
      #expect(refused(pattern)?.contains("a count of more than 1000") == true, "\(pattern)")
    }
    func nested(_ levels: Int) -> String { String(repeating: "(", count: levels) + String(repeating: ")", count: levels) }
    _ = try FormPattern(nested(32) + nested(32))
    #expect(refused(nested(33)) == "has more than 32 groups in one another at character 33")
  }

  @Test func `compares patterns by code point`() throws {
    #expect(try FormPattern("a+") == FormPattern("a+"))
    #expect(try FormPattern("a+") != FormPattern("aa*"))
    #expect(try FormPattern("é") != FormPattern("e\u{301}"))
  }

  @Test(
    arguments: [
      "^(a+)+$", "(a|a)*b", "(a*)*b", "(a*)*", "(a{1,80}){1,3}b", "(a{1,80}){1,3}", "(.*)(.*)(.*)x", "(a|aa)+$b",
      "(a?){300}a{300}b",
      "([a-z]*)*\\d", "(((a*)*)*)*b", "((a|b)*?c)+?d", "(^a|a$|a)*b", "((()|a*)+){99}b",
    ])
  func `bounds the steps of a hostile pattern by its states and the text's length`(pattern: String) throws {
    let pattern = try FormPattern(pattern)
    for length in [0, 1, 22, 500] {
      let text = String(repeating: "a", count: length) + "!"
      var steps = 0
      _ = pattern.automaton.matches(text, steps: &steps)
      #expect(steps <= (2 * pattern.automaton.states.count + 1) * (length + 2))
    }
    var steps = 0
    _ = pattern.automaton.matches("", steps: &steps)
    #expect(steps <= 2 * pattern.automaton.states.count + 1)
  }

  @Test func `agrees with a backtracking reference matcher`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    var matches = 0
    var checks = 0
    for _ in 0..<3000 {
      let naive = NaivePattern.random(levels: 3, using: &random)
      let pattern = try FormPattern(naive.source)
      for _ in 0..<8 {
        let text = (0..<random.below(7)).map { _ in random.pick(NaivePattern.alphabet) }
        let expected = naive.matches(text)
        let string = String(String.UnicodeScalarView(text))
        #expect(pattern.matches(string) == expected, "seed \(seed), \(naive.source) on \(string.debugDescription)")
        matches += expected ? 1 : 0
        checks += 1
      }
    }
    #expect(matches > checks / 10 && matches < checks * 9 / 10)
    print("seed of the patterns: \(seed), of which \(matches) of \(checks) matched")
  }
}
