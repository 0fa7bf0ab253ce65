/// A recursive-descent parser for ``FormPattern``. ``maximumNesting`` limits its recursion.
struct FormPatternParser {
  static let maximumNesting = 32
  /// The maximum count of a repetition. A larger count would exceed the maximum number of states, unless it repeats the empty
  /// pattern.
  static let maximumCount = FormPattern.maximumStates

  /// The character sets of the parsed terms, in order.
  private(set) var sets: [ScalarSet] = []
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var nesting = 0

  package init(_ source: String) {
    scalars = Array(source.unicodeScalars)
  }

  mutating func pattern() throws(JSONError) -> FormPatternNode {
    let node = try alternatives()
    guard index == scalars.count else { throw error("a ')' without its '('", at: index) }
    return node
  }

  private mutating func alternatives() throws(JSONError) -> FormPatternNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(JSONError) -> FormPatternNode {
    var nodes: [FormPatternNode] = []
    while let scalar = here, scalar != "|", scalar != ")" { nodes.append(try repeated()) }
    return .sequence(nodes)
  }

  private mutating func repeated() throws(JSONError) -> FormPatternNode {
    let isAssertion = here == "^" || here == "$"
    let node = try term()
    guard isAtQuantifier, let quantifier = next() else { return node }
    let start = index - 1
    if isAssertion { throw error("a repetition of an anchor", at: start) }
    let least: Int
    var most: Int?
    switch quantifier {
    case "*": least = 0
    case "+": least = 1
    case "?": (least, most) = (0, 1)
    default: (least, most) = try counts(from: start)
    }
    if !take("?"), here == "+" { throw unsupported("a possessive repetition", at: start) }
    if isAtQuantifier { throw error("a repetition of a repetition", at: index) }
    return .repeated(node, least: least, most: most)
  }

  private var isAtQuantifier: Bool { here == "*" || here == "+" || here == "?" || here == "{" }

  private mutating func counts(from start: Int) throws(JSONError) -> (Int, Int?) {
    guard let least = try count(from: start) else { throw error("a '{' that begins no count", at: start) }
    if take("}") { return (least, least) }
    guard take(",") else { throw error("a '{' that begins no count", at: start) }
    if take("}") { return (least, nil) }
    guard let most = try count(from: start), take("}") else { throw error("a '{' that begins no count", at: start) }
    guard least <= most else { throw error("a count whose end is less than its start", at: start) }
    return (least, most)
  }

  private mutating func count(from start: Int) throws(JSONError) -> Int? {
    var count: Int?
    while let digit = here, ("0"..."9").contains(digit) {
      let value = (count ?? 0) * 10 + Int(digit.value - 0x30)
      guard value <= Self.maximumCount else {
        throw JSONError("is a pattern that is too large: it has a count of more than \(Self.maximumCount) \(place(start))")
      }
      count = value
      index += 1
    }
    return count
  }

  private mutating func term() throws(JSONError) -> FormPatternNode {
    let start = index
    guard let scalar = next() else { throw error("an end too early", at: start) }
    switch scalar {
    case "^": return .start
    case "$": return .end
    case ".": return one(of: ScalarSet.lineTerminators.inverted)
    case "(": return try group(from: start)
    case "[": return one(of: try characterClass(from: start))
    case "\\": return one(of: try escape(from: start).set)
    case "*", "+", "?": throw error("a '\(scalar)' with nothing before it to repeat", at: start)
    case "{", "}", "]": throw error("a '\(scalar)' without '\\' before it", at: start)
    default: return one(of: ScalarSet(scalar))
    }
  }

  private mutating func one(of set: ScalarSet) -> FormPatternNode {
    sets.append(set)
    return .one(sets.count - 1)
  }

  private mutating func group(from start: Int) throws(JSONError) -> FormPatternNode {
    if take("?"), !take(":") { throw unsupported(specialGroup, at: start) }
    guard nesting < Self.maximumNesting else {
      throw error("more than \(Self.maximumNesting) groups in one another", at: start)
    }
    nesting += 1
    let node = try alternatives()
    nesting -= 1
    guard take(")") else { throw error("a '(' without its ')'", at: start) }
    return node
  }

  private var specialGroup: String {
    let next = index + 1 < scalars.count ? scalars[index + 1] : nil
    return switch (here, next) {
    case ("=", _), ("!", _): "a look-ahead"
    case ("<", "="), ("<", "!"): "a look-behind"
    case ("<", _), ("P", _), ("'", _): "a named group"
    case (">", _): "an atomic group"
    case ("i", _), ("m", _), ("s", _), ("u", _), ("x", _), ("-", _), ("^", _): "a flag"
    default: "a group of another kind than '(?:'"
    }
  }

  private mutating func characterClass(from start: Int) throws(JSONError) -> ScalarSet {
    let isInverted = take("^")
    // Other engines treat this bracket as the first member of the class.
    if here == "]" { throw error("an empty class", at: start) }
    var set = ScalarSet([])
    while !take("]") {
      let first = index
      let lower = try classMember(from: start)
      guard here == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
        set = set.union(lower.set)
        continue
      }
      index += 1
      guard case .scalar(let lower) = lower, case .scalar(let upper) = try classMember(from: start) else {
        throw error("a range that does not go from a character to a character", at: first)
      }
      guard lower <= upper else { throw error("a range whose end is before its start", at: first) }
      set = set.union(ScalarSet([lower.value...upper.value]))
    }
    return isInverted ? set.inverted : set
  }

  private mutating func classMember(from start: Int) throws(JSONError) -> FormPatternEscape {
    guard let scalar = next() else { throw error("a '[' without its ']'", at: start) }
    return scalar == "\\" ? try escape(from: index - 1) : .scalar(scalar)
  }

  var here: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard here == scalar else { return false }
    index += 1
    return true
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = here else { return nil }
    index += 1
    return scalar
  }

  func error(_ what: String, at index: Int) -> JSONError { JSONError("has \(what) \(place(index))") }

  func unsupported(_ what: String, at index: Int) -> JSONError {
    JSONError("has \(what) \(place(index)), which form patterns do not support")
  }

  private func place(_ index: Int) -> String { "at character \(index + 1)" }
}
