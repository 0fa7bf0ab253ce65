/// How certain it is that a condition holds. All of several conditions hold as certainly as the least certain of them.
package enum Certainty: Int, Sendable, Hashable, Comparable {
  case no
  /// Something cannot be read, or is too long to look at.
  case unknown
  case yes

  package static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
}

/// A shell pattern for a whole text, case-sensitive and by code points: `*` is any text without a `/`, `**` any text, `?` one
/// character other than `/`, and `\` makes the next character literal.
///
/// A text of `n` code points takes at most `n` times as many steps as the pattern has parts.
package struct TextPattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case scalar(Unicode.Scalar)
    /// `?`
    case one
    /// `*`
    case run
    /// `**`
    case all

    var isRepeated: Bool { self == .run || self == .all }
  }

  package static let maximumBytes = 1024
  /// The size up to which texts are compared with wildcards.
  static let maximumTextBytes = 4096

  package let text: String
  /// The bytes before the first wildcard.
  private let prefix: [UInt8]
  /// The parts from the first wildcard on.
  private let rest: [Part]
  /// Whether it may be meant for paths.
  private let isPath: Bool

  /// Parses a pattern. The error's message follows the name of a field.
  package init(_ text: String) throws(JSONError) {
    guard !text.isEmpty else { throw JSONError("must not be empty; ** matches any text") }
    guard text.utf8.count <= Self.maximumBytes else { throw JSONError("must have at most \(Self.maximumBytes) bytes") }
    var parts: [Part] = []
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\\":
        guard let next = scalars.next() else { throw JSONError(#"must not end with \; write \\ for the character"#) }
        parts.append(.scalar(next))
      case "*":
        if parts.last == .run {
          parts[parts.count - 1] = .all
        } else if parts.last != .all {
          parts.append(.run)
        }
      case "?": parts.append(.one)
      case "[": throw JSONError(#"must not have sets ([…]): write alternatives as a list, or \[ for the character"#)
      default: parts.append(.scalar(scalar))
      }
    }
    let wildcard = parts.firstIndex { if case .scalar = $0 { false } else { true } } ?? parts.count
    self.text = text
    // A text of wildcards only may be a path too.
    isPath = text.utf8.contains(UInt8(ascii: "/")) || parts.allSatisfy(\.isRepeated)
    prefix = parts[..<wildcard].flatMap { part -> [UInt8] in
      if case .scalar(let scalar) = part { Array(UTF8.encode(scalar)!) } else { [] }
    }
    rest = Array(parts[wildcard...])
  }

  /// Whether it matches one text only.
  package var isLiteral: Bool { rest.isEmpty }

  /// The text that a literal pattern matches; `nil` for other patterns.
  package var literal: String? { isLiteral ? String(decoding: prefix, as: UTF8.self) : nil }

  /// A pattern that matches a text only.
  package static func escaping(_ text: String) -> String {
    // Of arguments, it would stand for any number.
    if text == "..." { return #"\..."# }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if #"\*?["#.unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  /// Compares a text. It is `unknown` whether wildcards match a long text, and whether a path with `.`, `..` and empty components
  /// matches that may be written otherwise.
  package func match(_ text: String) -> Certainty {
    let isOdd = isPath && text.hasOddComponents
    let found = matchAsWritten(text)
    if !isOdd || found == .unknown { return found }
    if found == .yes { return isLiteral ? .yes : .unknown }
    return matchAsWritten(text.normalizedPath) == .no ? .no : .unknown
  }

  private func matchAsWritten(_ text: String) -> Certainty {
    if isLiteral { return text.utf8.count == prefix.count && text.utf8.elementsEqual(prefix) ? .yes : .no }
    guard text.utf8.starts(with: prefix) else { return .no }
    if rest == [.all] { return .yes }
    guard text.utf8.count <= Self.maximumTextBytes else { return .unknown }
    return matches(text.unicodeScalars.dropFirst(utf8: prefix.count)) ? .yes : .no
  }

  private func matches(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    rest.match(scalars, isRepeated: \.isRepeated) { part, scalar in
      switch part {
      case .scalar(let expected): scalar == expected
      case .one, .run: scalar != "/"
      case .all: true
      }
    }
  }
}

extension Array {
  /// Matches inputs with parts, each of which takes one input, or any number if it is repeated. Keeps the numbers of the parts that
  /// may come next, in order, so that it never goes back.
  fileprivate func match<Input>(
    _ inputs: some Sequence<Input>, isRepeated: (Element) -> Bool, accepts: (Element, Input) -> Bool
  ) -> Bool {
    if count < UInt64.bitWidth { return matchWithBits(inputs, isRepeated, accepts) }
    // Adds a part, and those after it that may take nothing.
    func enter(_ state: Int, _ states: inout [Int]) {
      var state = state
      while true {
        if states.last.map({ $0 < state }) ?? true { states.append(state) }
        guard state < count, isRepeated(self[state]) else { return }
        state += 1
      }
    }
    var states: [Int] = []
    enter(0, &states)
    for input in inputs {
      var next: [Int] = []
      for state in states where state < count && accepts(self[state], input) {
        enter(isRepeated(self[state]) ? state : state + 1, &next)
      }
      if next.isEmpty { return false }
      states = next
    }
    return states.last == count
  }
}

extension Array {
  /// The same with the parts that may come next as bits, for short patterns.
  private func matchWithBits<Input>(
    _ inputs: some Sequence<Input>, _ isRepeated: (Element) -> Bool, _ accepts: (Element, Input) -> Bool
  ) -> Bool {
    var repeated: UInt64 = 0
    for (index, part) in enumerated() where isRepeated(part) { repeated |= 1 << index }
    // Adds the parts after those that may take nothing.
    func closed(_ states: UInt64) -> UInt64 {
      var states = states
      while true {
        let more = states | (states & repeated) << 1
        if more == states { return states }
        states = more
      }
    }
    var states = closed(1)
    for input in inputs {
      var (next, left) = (UInt64(0), states & ~(1 << UInt64(count)))
      while left != 0 {
        let index = left.trailingZeroBitCount
        left &= left - 1
        if accepts(self[index], input) { next |= repeated & 1 << index != 0 ? 1 << index : 1 << (index + 1) }
      }
      if next == 0 { return false }
      states = closed(next)
    }
    return states & 1 << UInt64(count) != 0
  }
}

extension String.UnicodeScalarView {
  fileprivate func dropFirst(utf8 count: Int) -> SubSequence {
    var left = count
    return drop { scalar in
      defer { left -= UTF8.width(scalar) }
      return left > 0
    }
  }
}

extension String {
  /// Whether it has a component `.` or `..`, or an empty one, as a path. Addresses have one after their scheme.
  fileprivate var hasOddComponents: Bool {
    guard
      utf8.contains(UInt8(ascii: "."))
        || zip(utf8, utf8.dropFirst()).contains(where: { $0 == (UInt8(ascii: "/"), UInt8(ascii: "/")) })
    else {
      return false
    }
    let components = utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return components.enumerated().contains { index, component in
      if component.isEmpty {
        return index > 0 && index < components.count - 1 && components[index - 1].last != UInt8(ascii: ":")
      }
      return component.count <= 2 && component.allSatisfy { $0 == UInt8(ascii: ".") }
    }
  }

  /// The path without `.` and empty components, and with `..` resolved as in its text.
  fileprivate var normalizedPath: String {
    var parts: [Substring] = []
    for part in split(at: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (begins(with: "/") ? "/" : "") + parts.joined(separator: "/")
  }
}

extension Sequence<TextPattern> {
  /// Whether any of them matches.
  func match(_ text: String) -> Certainty {
    var best = Certainty.no
    for pattern in self where best < .yes { best = Swift.max(best, pattern.match(text)) }
    return best
  }
}

/// A pattern for the arguments of an act: patterns for each, and `...` for any number of them.
package struct ArgumentPattern: Sendable, Hashable {
  package enum Element: Sendable, Hashable {
    /// One argument, by any of these patterns.
    case one([TextPattern])
    /// `...`
    case rest
  }

  static let maximumCount = 64

  package let elements: [Element]

  package init(_ elements: [Element]) throws(JSONError) {
    guard (1...Self.maximumCount).contains(elements.count) else {
      throw JSONError("must have 1 to \(Self.maximumCount) elements")
    }
    self.elements = elements
  }

  /// Whether it matches lists of given arguments only.
  package var isExact: Bool {
    elements.allSatisfy { element in
      if case .one(let patterns) = element { patterns.allSatisfy(\.isLiteral) } else { false }
    }
  }

  /// The texts that the first argument may have; `nil` if it may have any.
  package var programs: [String]? {
    guard case .one(let patterns) = elements[0] else { return nil }
    let names = patterns.compactMap(\.literal)
    return names.count == patterns.count ? names : nil
  }

  /// The words that commands may begin with, as far as they are given: at most three, and at most 64 of them.
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
    // A limit on the work for one request.
    let isShort = arguments.reduce(0) { $0 + $1.utf8.count } <= 4 * TextPattern.maximumTextBytes
    guard isShort || isExact else { return .unknown }
    guard matches(arguments, atLeast: .unknown) else { return .no }
    return matches(arguments, atLeast: .yes) ? .yes : .unknown
  }

  private func matches(_ arguments: [String], atLeast least: Certainty) -> Bool {
    elements.match(arguments, isRepeated: { $0 == .rest }) { element, argument in
      switch element {
      case .rest: true
      case .one(let patterns): patterns.match(argument) >= least
      }
    }
  }
}
