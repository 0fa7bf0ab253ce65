/// The certainty that a condition holds. A conjunction is as certain as its least certain part.
package enum Certainty: Int, Sendable, Hashable, Comparable {
  case no
  /// A fact is unreadable, or too long to compare.
  case unknown
  case yes

  package static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
}

/// A shell pattern that matches an entire text, case-sensitively and by code points: `*` is any text without a `/`, `**` any
/// text, `?` one character other than `/`, and `\` makes the next character literal.
package struct TextPattern: Sendable {
  package static let maximumBytes = 1024
  /// The maximum size of texts to match with wildcards, in bytes.
  static let maximumTextBytes = 4096

  package let text: String
  /// The bytes before the first wildcard.
  private let prefix: [UInt8]
  private let rest: Wildcards
  /// Whether the pattern may be meant for paths.
  private let isPath: Bool

  /// Parses a pattern. The error's message is worded to follow the name of a field.
  package init(_ text: String) throws(JSONError) {
    guard !text.isEmpty else { throw JSONError("must not be empty; ** matches any text") }
    guard text.utf8.count <= Self.maximumBytes else { throw JSONError("must have at most \(Self.maximumBytes) bytes") }
    var (prefix, rest): ([UInt8], Wildcards) = ([], Wildcards())
    func add(_ scalar: Unicode.Scalar) {
      rest.isEmpty ? prefix.append(contentsOf: UTF8.encode(scalar)!) : rest.add(UTF8.encode(scalar)!)
    }
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\\":
        guard let next = scalars.next() else { throw JSONError(#"must not end with \; write \\ for the character"#) }
        add(next)
      case "*": rest.addStar()
      case "?": rest.addOne()
      case "[": throw JSONError(#"must not have sets ([…]): write alternatives as a list, or \[ for the character"#)
      default: add(scalar)
      }
    }
    // A pattern with only wildcards may also be a path.
    isPath = text.utf8.contains(UInt8(ascii: "/")) || prefix.isEmpty && rest.hasNoUnits
    (self.text, self.prefix, self.rest) = (text, prefix, rest)
  }

  /// Whether the pattern has no wildcards.
  package var isLiteral: Bool { rest.isEmpty }

  /// The text that a literal pattern matches; `nil` for other patterns.
  package var literal: String? { isLiteral ? String(decoding: prefix, as: UTF8.self) : nil }

  /// The literal texts that must occur in a matching text.
  var pieces: [[UInt8]] { (prefix.isEmpty ? [] : [prefix]) + rest.pieces }

  /// Creates a pattern that matches only the text.
  package static func escaping(_ text: String) -> String {
    // Among arguments, `...` would match any number.
    if text == "..." { return #"\..."# }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if #"\*?["#.unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  /// Matches a text. Returns `unknown` if wildcards meet a long text, or if a match depends on how `.`, `..` and empty
  /// components are resolved.
  package func match(_ text: String) -> Certainty {
    var steps = 0
    return match(RuleText(text), counting: &steps)
  }

  /// Matches a text; `unknown` above ``RuleMatch/maximumSteps``.
  func match(_ text: RuleText, counting steps: inout Int) -> Certainty {
    let found = matchAsWritten(text.bytes, &steps)
    guard isPath, let normalized = text.normalized, found != .unknown else { return found }
    if found == .yes { return isLiteral ? .yes : .unknown }
    return matchAsWritten(normalized[...], &steps) == .no ? .no : .unknown
  }

  private func matchAsWritten(_ bytes: ArraySlice<UInt8>, _ steps: inout Int) -> Certainty {
    steps += 4
    if isLiteral { return bytes.count == prefix.count && bytes.elementsEqual(prefix) ? .yes : .no }
    guard bytes.starts(with: prefix) else { return .no }
    if rest.isAnything { return .yes }
    guard bytes.count <= Self.maximumTextBytes else { return .unknown }
    let open = bytes.dropFirst(prefix.count)
    guard open.count >= rest.leastCount, open.suffix(rest.suffix.count).elementsEqual(rest.suffix) else { return .no }
    // Setting up the match costs as much as a number of bytes.
    let cost = (open.count + 256) * rest.words
    guard steps + cost <= RuleMatch.maximumSteps else {
      // Later comparisons are skipped too, however cheap.
      steps = max(steps, RuleMatch.maximumSteps)
      return .unknown
    }
    steps += cost
    return rest.matches(open) ? .yes : .no
  }
}

extension TextPattern: Hashable {
  // Compares bytes, since Swift's `==` matches canonically equivalent texts.
  package static func == (left: TextPattern, right: TextPattern) -> Bool { left.text.isSame(as: right.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A pattern for the arguments of an act: alternatives for each argument, and `...` for any number of them.
package struct ArgumentPattern: Sendable, Hashable {
  package enum Element: Sendable, Hashable {
    /// One argument that matches any of the patterns.
    case one([TextPattern])
    /// Any number of arguments: `...`.
    case rest
  }

  static let maximumCount = 64

  package let elements: [Element]
  /// Whether the pattern matches only literal lists of arguments.
  package let isExact: Bool

  package init(_ elements: [Element]) throws(JSONError) {
    guard (1...Self.maximumCount).contains(elements.count) else {
      throw JSONError("must have 1 to \(Self.maximumCount) elements")
    }
    self.elements = elements
    isExact = elements.allSatisfy { element in
      if case .one(let patterns) = element { patterns.allSatisfy(\.isLiteral) } else { false }
    }
  }

  /// The possible texts of the first argument; `nil` if it can be any text.
  package var programs: [String]? {
    guard case .one(let patterns) = elements[0] else { return nil }
    let names = patterns.compactMap(\.literal)
    return names.count == patterns.count ? names : nil
  }

  /// The literal beginnings of matching commands: up to three words, and at most 64 beginnings.
  package var beginnings: [[String]] {
    var beginnings: [[String]] = [[]]
    for element in elements.prefix(3) {
      guard case .one(let patterns) = element, patterns.allSatisfy(\.isLiteral) else { break }
      let next = beginnings.flatMap { words in patterns.compactMap(\.literal).map { words + [$0] } }
      if next.count > 64 { break }
      beginnings = next
    }
    return beginnings
  }

  package func match(_ arguments: [String]) -> Certainty {
    var steps = 0
    return match(arguments.map { RuleText($0) }, counting: &steps)
  }

  /// Matches arguments. Each bit of a state is a number of elements that may have been consumed, certainly or possibly.
  func match(_ arguments: [RuleText], counting steps: inout Int) -> Certainty {
    // Limits the work for one request.
    let isShort = arguments.reduce(0) { $0 + $1.bytes.count } <= 4 * TextPattern.maximumTextBytes
    guard isShort || isExact else { return .unknown }
    var (single, loops): ([[TextPattern]], UInt128) = ([], 0)
    for element in elements {
      switch element {
      case .rest: loops |= 1 << UInt128(single.count)
      case .one(let patterns): single.append(patterns)
      }
    }
    var (certain, possible): (UInt128, UInt128) = (1, 1)
    for argument in arguments {
      var (nextCertain, nextPossible) = (certain & loops, possible & loops)
      var left = possible & ~(1 << UInt128(single.count))
      while left != 0 {
        let index = left.trailingZeroBitCount
        left &= left - 1
        let bit: UInt128 = 2 << UInt128(index)
        let found = single[index].match(argument, counting: &steps)
        if found != .no { nextPossible |= bit }
        if found == .yes, certain & 1 << UInt128(index) != 0 { nextCertain |= bit }
      }
      steps += 100
      guard nextPossible != 0 else { return .no }
      guard steps <= RuleMatch.maximumSteps else { return .unknown }
      (certain, possible) = (nextCertain, nextPossible)
    }
    let end: UInt128 = 1 << UInt128(single.count)
    return possible & end == 0 ? .no : certain & end == 0 ? .unknown : .yes
  }
}

extension [TextPattern] {
  /// Whether any pattern matches.
  fileprivate func match(_ text: RuleText, counting steps: inout Int) -> Certainty {
    var best = Certainty.no
    for pattern in self where best < .yes { best = Swift.max(best, pattern.match(text, counting: &steps)) }
    return best
  }
}

extension Sequence<TextPattern> {
  /// Whether any pattern matches.
  func match(_ text: String) -> Certainty {
    var best = Certainty.no
    for pattern in self where best < .yes { best = Swift.max(best, pattern.match(text)) }
    return best
  }
}
