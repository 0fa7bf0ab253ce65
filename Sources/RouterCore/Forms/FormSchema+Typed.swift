package import OrderedCollections

extension FormSchema.Property {
  /// The result of parsing typed input.
  package enum Typed: Sendable, Hashable {
    case value(JSONValue)
    /// The input was empty.
    case empty
    /// The input is invalid, with the reason.
    case problem(String)
  }

  /// Parses the input for a field. Text is taken verbatim; other kinds ignore surrounding white space. The input for an
  /// array is a JSON array, or values or titles separated by commas.
  package func read(typed line: String) -> Typed {
    var budget = FormBudget()
    return read(typed: line, within: &budget)
  }

  func read(typed line: String, within budget: inout FormBudget) -> Typed {
    let text = kind == .string && choices == nil ? line : line.trimmingWhiteSpace
    if text.isEmpty { return mayBeEmpty ? .empty : .problem("is required") }
    if kind == .array { return chosen(typed: text) }
    if let choices {
      let index = choices.firstIndex { $0.asTyped.isSame(as: text) } ?? choiceLabels.firstIndex { $0.isSame(as: text) }
      return index.map { .value(choices[$0]) } ?? .problem("must be one of the choices")
    }
    guard let value = value(typed: text) else { return .problem(problem(with: .string(text)) ?? "cannot be understood") }
    return problem(with: value, within: &budget).map(Typed.problem) ?? .value(value)
  }

  private func chosen(typed text: String) -> Typed {
    guard let value = value(typed: text), let chosen = value.array else { return .problem("must be some of the choices") }
    if chosen.isEmpty, mayBeEmpty { return .empty }
    return problem(with: value).map(Typed.problem) ?? .value(value)
  }

  /// Parses a selection from a list, and returns it in the order of the list; `nil` if an element is not in the list.
  ///
  /// - Parameter hasNumbers: Whether a number selects by position, counted from 1.
  package func choices(typed text: String, hasNumbers: Bool = false) -> JSONValue? {
    let choices = choices ?? []
    var places = Dictionary(zip(choices.map { JSONValue.string($0.asTyped) }, choices.indices)) { first, _ in first }
    let chosen: [Int?]
    if let values = try? JSONValue(parsing: text).array {
      chosen = values.map { places[$0] }
    } else {
      places.merge(zip(choiceLabels.map(JSONValue.string), choices.indices)) { value, _ in value }
      let parts = text.split(at: ",").map(\.trimmingWhiteSpace).filter { !$0.isEmpty }
      chosen = parts.map { part in
        if hasNumbers, let number = Int(part), choices.indices.contains(number &- 1) { return number - 1 }
        return places[.string(part)]
      }
    }
    guard !chosen.contains(nil) else { return nil }
    let indexes = Set(chosen)
    return .array(choices.indices.filter(indexes.contains).map { choices[$0] })
  }

  /// Parses the input as a value of the field's kind; returns `nil` if it is invalid.
  ///
  /// Spells out `.none`, since a bare `nil` could be read as JSON's null.
  package func value(typed text: String) -> JSONValue? {
    switch kind {
    case .string: return .string(text)
    case .array: return choices(typed: text)
    case .boolean:
      switch text.lowercased() {
      case "y", "yes", "true", "on", "1": return true
      case "n", "no", "false", "off", "0": return false
      default: return .none
      }
    case .integer, .number:
      let digits = text.begins(with: "+") ? String(text.dropFirst()) : text
      guard case .number(let number)? = try? JSONValue(parsing: digits) else { return .none }
      if kind == .integer, number.integer == nil { return .none }
      return .number(number)
    }
  }
}

extension FormSchema {
  /// Parses the typed input of a form. A missing field counts as empty.
  ///
  /// - Returns: The answer, if all fields are valid; and the problems by field name, in form order.
  /// - Throws: A ``JSONError`` for an unknown field name.
  package func read(
    typed texts: OrderedDictionary<String, String>
  ) throws(JSONError) -> (answer: JSONValue?, problems: OrderedDictionary<String, String>) {
    var budget = FormBudget()
    return try read(typed: texts, within: &budget)
  }

  func read(
    typed texts: OrderedDictionary<String, String>, within budget: inout FormBudget
  ) throws(JSONError) -> (answer: JSONValue?, problems: OrderedDictionary<String, String>) {
    if let unknown = texts.keys.first(where: { name in !properties.contains { $0.name.isSame(as: name) } }) {
      throw JSONError("is not a field of the form", at: "/" + JSONPointer.escape(unknown.shortened))
    }
    var answer: OrderedDictionary<String, JSONValue> = [:]
    var problems: OrderedDictionary<String, String> = [:]
    for property in properties {
      switch property.read(typed: texts[exactly: property.name] ?? "", within: &budget) {
      case .value(let value): answer[property.name] = value
      case .empty: answer[property.name] = property.emptyValue
      case .problem(let why): problems[property.name] = why
      }
    }
    return (problems.isEmpty ? .object(answer) : nil, problems)
  }
}
