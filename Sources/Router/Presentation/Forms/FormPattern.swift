/// A regular expression of a form field, matched in time proportional to its size times the text's length
/// (Docs/Decisions/form-pattern.md).
///
/// It takes the subset that JSON Schema Core, section 6.4, recommends, with the meaning of ECMA-262 and its flag `u`:
///
/// | construct | meaning |
/// | --- | --- |
/// | `a`, `.` | a code point; any code point that ends no line |
/// | `\.`, `\\`, `\/`, `\-`, … | a syntax character, a slash or a hyphen as it is |
/// | `\t`, `\n`, `\r`, `\u00E9` | the code point; two surrogates in a row are one |
/// | `\d`, `\w`, `\s`, `\D`, `\W`, `\S` | ASCII digits, ASCII word characters, Unicode white space, and what is none |
/// | `[a-z_]`, `[^\s"]` | a class, and what is not in it |
/// | `(…)`, `(?:…)`, `a\|b` | a group, and alternatives |
/// | `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` | repetition, also lazy (`*?`), which matches the same texts |
/// | `^`, `$` | the text's start and end |
///
/// A pattern matches if it matches anywhere in the text. Everything else, such as back-references, look-around, `\b` and
/// `\p{…}`, is refused.
public struct FormPattern: Sendable, Hashable {
  /// The most that a pattern may have, in bytes of UTF-8.
  public static let maximumBytes = 256
  /// The most states that it may have when each `{n}` is written out.
  static let maximumStates = 1000

  /// The pattern as it was written.
  public let source: String
  let automaton: FormPatternAutomaton

  /// Reads a pattern; a ``JSONError`` names what is refused, and the character it begins at, counted from 1.
  public init(_ source: String) throws(JSONError) {
    guard source.utf8.count <= Self.maximumBytes else {
      throw JSONError("is a pattern that is too large: it has more than \(Self.maximumBytes) bytes")
    }
    var parser = FormPatternParser(source)
    let node = try parser.pattern()
    automaton = try FormPatternAutomaton(node, sets: parser.sets)
    self.source = source
  }

  /// Whether the pattern matches somewhere in the text.
  public func matches(_ text: String) -> Bool {
    var steps = 0
    return automaton.matches(text, steps: &steps)
  }

  /// By code point: canonically equivalent texts are equal strings, but not the same pattern.
  public static func == (left: FormPattern, right: FormPattern) -> Bool {
    left.source.unicodeScalars.elementsEqual(right.source.unicodeScalars)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }
}

/// What a pattern consists of. Its depth is bounded by ``FormPatternParser/maximumNesting``.
indirect enum FormPatternNode {
  case one(Int)
  case start
  case end
  case sequence([FormPatternNode])
  case alternatives([FormPatternNode])
  /// At least and at most so often; without end where there is no `most`.
  case repeated(FormPatternNode, least: Int, most: Int?)
}
