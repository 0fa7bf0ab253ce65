public import OrderedCollections

extension FormProperty {
  /// What a person typed into a field, read.
  public enum Typed: Sendable, Hashable {
    case value(JSONValue)
    /// Nothing was typed.
    case empty
    /// It is not for this field, and why.
    case problem(String)
  }

  /// Reads what a person typed. A text is taken as it is; white space around anything else is not looked at.
  public func read(typed line: String) -> Typed {
    var budget = PatternBudget()
    return read(typed: line, within: &budget)
  }

  func read(typed line: String, within budget: inout PatternBudget) -> Typed {
    let text = kind == .string && choices == nil ? line : line.trimmingWhiteSpace
    if text.isEmpty { return mayBeEmpty ? .empty : .problem("is required") }
    if let choices {
      return choices.first { $0.asTyped == text }.map(Typed.value) ?? .problem("must be one of the choices")
    }
    guard let value = value(typed: text) else { return .problem(problem(with: .string(text)) ?? "cannot be understood") }
    return problem(with: value, within: &budget).map(Typed.problem) ?? .value(value)
  }

  /// What a person typed, as a value of the field's kind; `nil` if it is none.
  /// `.none` is spelled out: a bare `nil` could be JSON's null, which is a value.
  package func value(typed text: String) -> JSONValue? {
    switch kind {
    case .string: return .string(text)
    case .boolean:
      switch text.lowercased() {
      case "y", "yes", "true", "on", "1": return true
      case "n", "no", "false", "off", "0": return false
      default: return .none
      }
    case .integer, .number:
      let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
      guard case .number(let number)? = try? JSONValue(parsing: digits) else { return .none }
      if kind == .integer, number.integer == nil { return .none }
      return .number(number)
    }
  }
}

extension FormSchema {
  /// Reads a form as it was typed, field by field: a field that is left out counts as empty.
  /// - Returns: The answer, where all of it fits; and what is wrong, by the field's name, in the form's order.
  /// - Throws: A ``JSONError`` for a name that is no field's.
  public func read(
    typed texts: OrderedDictionary<String, String>
  ) throws(JSONError) -> (answer: JSONValue?, problems: OrderedDictionary<String, String>) {
    var budget = PatternBudget()
    return try read(typed: texts, within: &budget)
  }

  func read(
    typed texts: OrderedDictionary<String, String>, within budget: inout PatternBudget
  ) throws(JSONError) -> (answer: JSONValue?, problems: OrderedDictionary<String, String>) {
    if let stranger = texts.keys.first(where: { name in !properties.contains { $0.name == name } }) {
      throw JSONError("is not a field of the form", at: "/" + JSONPointer.escape(stranger.shortened))
    }
    var answer: OrderedDictionary<String, JSONValue> = [:]
    var problems: OrderedDictionary<String, String> = [:]
    for property in properties {
      switch property.read(typed: texts[property.name] ?? "", within: &budget) {
      case .value(let value): answer[property.name] = value
      case .empty: answer[property.name] = property.emptyValue
      case .problem(let why): problems[property.name] = why
      }
    }
    return (problems.isEmpty ? .object(answer) : nil, problems)
  }
}
