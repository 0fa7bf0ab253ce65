/// The budget for checking one form or one answer, counted in steps, so that one client cannot keep others waiting.
///
/// A step is a byte of a choice or a default, or a state of a pattern at one code point.
struct FormBudget {
  static let maximum = 1 << 20
  /// The steps per choice, in addition to its bytes.
  static let stepsPerChoice = 16
  /// The steps for compiling one state of a pattern.
  static let stepsPerState = 16

  private var left = maximum
  /// The steps of the patterns matched so far.
  private(set) var steps = 0

  var spent: Int { Self.maximum - left }

  /// Uses up steps for a keyword. Throws a ``JSONError`` that points to the keyword if too few are left.
  mutating func take(_ steps: Int, at pointer: String) throws(JSONError) {
    try check(steps, at: pointer)
    left -= steps
  }

  /// Checks that enough steps are left for a keyword.
  func check(_ steps: Int, at pointer: String) throws(JSONError) {
    guard steps <= left else {
      throw JSONError(
        "is too much to check: the form has more than \(Self.maximum) steps up to here; use fewer or shorter choices, "
          + "patterns and defaults", at: pointer)
    }
  }

  /// Matches a text against a pattern. Returns the error for the person; `nil` if the text matches.
  mutating func problem(with text: String, length: Int, pattern: FormPattern) -> String? {
    let longest = left / pattern.automaton.states.count
    guard length <= longest else { return "must have at most \(longest) characters to be matched with its pattern" }
    left -= length * pattern.automaton.states.count
    return pattern.automaton.matches(text, steps: &steps) ? nil : "must match \(pattern.source)"
  }
}

extension JSONValue {
  /// The steps of checking a choice or a default.
  var checkingSteps: Int {
    switch self {
    case .null, .bool: FormBudget.stepsPerChoice
    case .number(let number): FormBudget.stepsPerChoice + number.literal.utf8.count
    case .string(let text): FormBudget.stepsPerChoice + text.utf8.count
    case .array(let elements): elements.reduce(FormBudget.stepsPerChoice) { $0 + $1.checkingSteps }
    case .object(let members):
      members.reduce(FormBudget.stepsPerChoice) { $0 + $1.key.utf8.count + $1.value.checkingSteps }
    }
  }
}
