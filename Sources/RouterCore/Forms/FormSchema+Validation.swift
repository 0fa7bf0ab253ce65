import OrderedCollections

extension FormSchema {
  /// Checks an answer. Throws a ``JSONError`` that points to the first invalid field, with text for the person.
  public func check(_ answer: JSONValue, at pointer: String = "") throws(JSONError) {
    guard let members = answer.object else { throw JSONError("must be an object, not \(answer.typeName)", at: pointer) }
    var budget = FormBudget()
    for property in properties {
      let place = pointer + "/" + JSONPointer.escape(property.name)
      guard let value = members[exactly: property.name] else {
        if property.isRequired { throw JSONError("is required", at: place) }
        continue
      }
      if let problem = property.problem(with: value, within: &budget) { throw JSONError(problem, at: place) }
    }
    if let unknown = members.keys.first(where: { name in !properties.contains { $0.name.isSame(as: name) } }) {
      throw JSONError("is not a field of the form", at: pointer + "/" + JSONPointer.escape(unknown.shortened))
    }
  }
}

extension FormSchema.Property {
  /// Returns the error for an invalid value, as text for the person; `nil` if the value is valid.
  ///
  /// The text never contains the value, which may be a secret.
  public func problem(with value: JSONValue) -> String? {
    var budget = FormBudget()
    return problem(with: value, within: &budget)
  }

  func problem(with value: JSONValue, within budget: inout FormBudget) -> String? {
    if isNullable, value == .null { return nil }
    switch kind {
    case .string:
      guard let text = value.string else { return "must be text" }
      if let problem = problem(withText: text, within: &budget) { return problem }
    case .boolean:
      guard value.bool != nil else { return "must be true or false" }
    case .integer, .number:
      guard let number = value.number else { return kind == .integer ? "must be a whole number" : "must be a number" }
      if kind == .integer, number.integer == nil { return "must be a whole number" }
      if let problem = problem(withNumber: number) { return problem }
      if !number.double.isFinite { return "is too large a number" }
    case .array: return problem(withChosen: value)
    }
    if let choices, !choices.contains(where: { $0.isSame(as: value) }) { return "must be one of the choices" }
    return nil
  }

  private func problem(withText text: String, within budget: inout FormBudget) -> String? {
    let length = text.unicodeScalars.count
    if let minimumLength, length < minimumLength {
      return !mayBeEmpty && length == 0 ? "is required" : "must have at least \(minimumLength) characters"
    }
    if let maximumLength, length > maximumLength { return "must have at most \(maximumLength) characters" }
    if let format, !format.matches(text) { return "must be \(format.expectation)" }
    // An invalid pattern matches nothing; schemas with one are rejected earlier.
    guard let pattern else { return nil }
    guard let matcher = try? matcher?.get() else { return "must match \(pattern)" }
    return budget.problem(with: text, length: length, pattern: matcher)
  }

  private func problem(withChosen value: JSONValue) -> String? {
    guard let chosen = value.array else { return "must be an array of the choices" }
    guard Set(chosen).isSubset(of: choices ?? []) else { return "must be some of the choices" }
    guard Set(chosen).count == chosen.count else { return "must have each choice once" }
    return problem(withCount: chosen.count)
  }

  /// Returns the error for the number of choices in an array, as text for the person; `nil` if it is valid.
  package func problem(withCount count: Int) -> String? {
    if let minimumCount, count < minimumCount {
      if count == 0, !mayBeEmpty { return "is required" }
      return "must have at least \(String(counting: minimumCount, "choice"))"
    }
    if let maximumCount, count > maximumCount {
      return "must have at most \(String(counting: maximumCount, "choice"))"
    }
    return nil
  }

  private func problem(withNumber number: JSONValue.Number) -> String? {
    if let minimum, number.isLess(than: minimum) { return "must be at least \(minimum.literal)" }
    if let maximum, maximum.isLess(than: number) { return "must be at most \(maximum.literal)" }
    return nil
  }
}

extension JSONValue {
  /// Whether both values are the same choice. As in JSON Schema, 1 and 1.0 are equal.
  func isSame(as other: JSONValue) -> Bool {
    if case (.number(let left), .number(let right)) = (self, other) { return left.isSame(as: right) }
    return self == other
  }
}
