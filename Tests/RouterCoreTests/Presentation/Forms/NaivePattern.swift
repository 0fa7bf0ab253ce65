import RouterCore
import TestSupport

/// A backtracking matcher that follows ECMA-262, the reference for ``FormPattern``.
indirect enum NaivePattern {
  typealias Text = [Unicode.Scalar]

  case one(source: String, Set<Unicode.Scalar>)
  case start
  case end
  case sequence([NaivePattern])
  case alternatives([NaivePattern])
  case repeated(NaivePattern, source: String, least: Int, most: Int)

  static let alphabet: Text = ["a", "b", "1", " ", "\n", "é"]

  /// The sources that match one code point, each with the code points of the alphabet it matches.
  private static let ones: [(String, Set<Unicode.Scalar>)] = [
    ("a", ["a"]), ("b", ["b"]), ("1", ["1"]), ("é", ["é"]), ("\\u00e9", ["é"]), (".", ["a", "b", "1", " ", "é"]),
    ("\\d", ["1"]), ("\\D", ["a", "b", " ", "\n", "é"]), ("\\w", ["a", "b", "1"]), ("\\W", [" ", "\n", "é"]),
    ("\\s", [" ", "\n"]), ("\\S", ["a", "b", "1", "é"]), ("[ab]", ["a", "b"]), ("[^ab]", ["1", " ", "\n", "é"]),
    ("[0-a]", ["1", "a"]), ("[^\\sa-]", ["b", "1", "é"]), ("[\\W1]", ["1", " ", "\n", "é"]),
  ]

  static func random(levels: Int, using random: inout SplitMix64) -> NaivePattern {
    switch levels == 0 ? random.below(9) : random.below(20) {
    case 0..<8:
      let (source, set) = random.pick(ones)
      return .one(source: source, set)
    case 8: return random.chance(50) ? .start : .end
    case 9..<13:
      return .sequence((0..<random.below(4)).map { _ in .random(levels: levels - 1, using: &random) })
    case 13..<16:
      return .alternatives((0...random.below(3)).map { _ in .random(levels: levels - 1, using: &random) })
    default:
      let (source, least, most) = random.pick([
        ("*", 0, .max), ("+", 1, .max), ("?", 0, 1), ("{2}", 2, 2), ("{1,}", 1, .max), ("{0,2}", 0, 2), ("{1,3}", 1, 3),
        ("{0}", 0, 0),
      ])
      let lazy = random.chance(30) ? "?" : ""
      return .repeated(.random(levels: levels - 1, using: &random), source: source + lazy, least: least, most: most)
    }
  }

  var source: String {
    switch self {
    case .one(let source, _): source
    case .start: "^"
    case .end: "$"
    case .sequence(let parts): "(?:" + parts.map(\.source).joined() + ")"
    case .alternatives(let parts): "(" + parts.map(\.source).joined(separator: "|") + ")"
    case .repeated(.one(let one, _), let source, _, _): one + source
    case .repeated(let part, let source, _, _): "(" + part.source + ")" + source
    }
  }

  func matches(_ text: Text) -> Bool {
    (0...text.count).contains { start in matches(text, at: start) { _ in true } }
  }

  private func matches(_ text: Text, at index: Int, then rest: (Int) -> Bool) -> Bool {
    switch self {
    case .one(_, let set): index < text.count && set.contains(text[index]) && rest(index + 1)
    case .start: index == 0 && rest(index)
    case .end: index == text.count && rest(index)
    case .sequence(let parts): Self.matches(parts[...], text, at: index, then: rest)
    case .alternatives(let parts): parts.contains { $0.matches(text, at: index, then: rest) }
    case .repeated(let part, _, let least, let most):
      Self.repeats(part, least: least, most: most, text, at: index, then: rest)
    }
  }

  private static func matches(
    _ parts: ArraySlice<NaivePattern>, _ text: Text, at index: Int, then rest: (Int) -> Bool
  ) -> Bool {
    guard let first = parts.first else { return rest(index) }
    return first.matches(text, at: index) { matches(parts.dropFirst(), text, at: $0, then: rest) }
  }

  /// ECMA-262's RepeatMatcher: past the minimum count, an empty repetition fails.
  private static func repeats(
    _ part: NaivePattern, least: Int, most: Int, _ text: Text, at index: Int, then rest: (Int) -> Bool
  ) -> Bool {
    if least == 0, rest(index) { return true }
    guard most > 0 else { return false }
    return part.matches(text, at: index) { end in
      if least == 0, end == index { return false }
      return repeats(
        part, least: max(0, least - 1), most: most == .max ? .max : most - 1, text, at: end, then: rest)
    }
  }
}
