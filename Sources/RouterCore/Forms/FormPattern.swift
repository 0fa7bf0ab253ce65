/// The regular expression of a form field. Matching takes time proportional to the pattern's size times the text's
/// length (Docs/Decisions/form-pattern.md).
///
/// Supports the subset that JSON Schema Core, section 6.4, recommends, with the semantics of ECMA-262 with the flag
/// `u`:
///
/// | construct | meaning |
/// | --- | --- |
/// | `a`, `.` | a code point; any code point except a line terminator |
/// | `\.`, `\\`, `\/`, `\-`, … | a literal syntax character, slash or hyphen |
/// | `\t`, `\n`, `\r`, `\u00E9` | a code point; a surrogate pair is one code point |
/// | `\d`, `\w`, `\s`, `\D`, `\W`, `\S` | ASCII digits, ASCII word characters, Unicode white space, and their complements |
/// | `[a-z_]`, `[^\s"]` | a class, and its complement |
/// | `(…)`, `(?:…)`, `a\|b` | a group, and alternatives |
/// | `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}` | repetition; lazy forms (`*?`) match the same texts |
/// | `^`, `$` | the text's start and end |
///
/// A pattern matches if it matches anywhere in the text. Anything else, such as back-references, look-around, `\b` and
/// `\p{…}`, is an error.
package struct FormPattern: Sendable, Hashable {
  /// The maximum size of a pattern, in bytes of UTF-8.
  package static let maximumBytes = 256
  /// The maximum number of states, with each `{n}` expanded.
  static let maximumStates = 1000

  /// The pattern as written.
  package let source: String
  let automaton: FormPatternAutomaton

  /// Parses a pattern. Throws a ``JSONError`` that names the unsupported construct and its position, counted from 1.
  package init(_ source: String) throws(JSONError) {
    guard source.utf8.count <= Self.maximumBytes else {
      throw JSONError("is a pattern that is too large: it has more than \(Self.maximumBytes) bytes")
    }
    var parser = FormPatternParser(source)
    let node = try parser.pattern()
    automaton = try FormPatternAutomaton(node, sets: parser.sets)
    self.source = source
  }

  /// Returns whether the pattern matches anywhere in the text.
  package func matches(_ text: String) -> Bool {
    var steps = 0
    return automaton.matches(text, steps: &steps)
  }

  /// Compares code points: canonically equivalent strings are equal, but different patterns.
  package static func == (left: FormPattern, right: FormPattern) -> Bool {
    left.source.unicodeScalars.elementsEqual(right.source.unicodeScalars)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
  }
}

/// The syntax tree of a pattern. ``FormPatternParser/maximumNesting`` limits its depth.
indirect enum FormPatternNode {
  case one(Int)
  case start
  case end
  case sequence([FormPatternNode])
  case alternatives([FormPatternNode])
  /// Repeats a node `least` to `most` times; without a limit if `most` is `nil`.
  case repeated(FormPatternNode, least: Int, most: Int?)
}
