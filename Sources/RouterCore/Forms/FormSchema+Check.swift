extension FormSchema {
  /// Checks that the form can be shown, whether it was decoded from JSON or built in Swift.
  func checkForm(at pointer: String, within budget: inout FormBudget) throws(JSONError) {
    if let title { try TextRule.title.check(title, at: pointer + "/title") }
    if let description { try TextRule.message.check(description, at: pointer + "/description") }
    let path = pointer + "/properties"
    try Self.checkCount(properties.count, at: path)
    var names: Set<String> = []
    for property in properties {
      let name = property.name
      let place = path + "/" + JSONPointer.escape(name)
      guard !name.isEmpty, name.utf8.count <= 64 else {
        throw JSONError("a field's name must have 1 to 64 bytes", at: place.shortened)
      }
      try TextRule.label.check(name, at: place)
      guard names.insert(name).inserted else { throw JSONError("is the name of two fields", at: place) }
      try property.checkField(at: place, within: &budget)
    }
  }

  mutating func useUnixLineEnds() {
    description = description?.withUnixLineEnds
    for index in properties.indices { properties[index].description = properties[index].description?.withUnixLineEnds }
  }

  static func checkCount(_ count: Int, at pointer: String) throws(JSONError) {
    guard count <= 64 else { throw JSONError("must have at most 64 fields", at: pointer) }
  }
}

extension FormSchema.Property {
  fileprivate func checkField(at pointer: String, within budget: inout FormBudget) throws(JSONError) {
    if let title { try TextRule.label.check(title, at: pointer + "/title") }
    if let description { try TextRule.message.check(description, at: pointer + "/description") }
    try checkKeywords(at: pointer)
    try checkBounds(at: pointer)
    try checkPattern(at: pointer, within: &budget)
    try checkChoices(at: pointer, within: &budget)
    try checkDefault(at: pointer, within: &budget)
  }

  private func checkKeywords(at pointer: String) throws(JSONError) {
    let isText = kind == .string
    let isNumber = kind == .number || kind == .integer
    let isArray = kind == .array
    for (keyword, isThere, fits) in [
      ("minLength", minimumLength != nil, isText), ("maxLength", maximumLength != nil, isText),
      ("pattern", pattern != nil, isText), ("format", format != nil, isText),
      ("minimum", minimum != nil, isNumber), ("maximum", maximum != nil, isNumber),
      ("enum", choices != nil, kind != .boolean),
      ("minItems", minimumCount != nil, isArray), ("maxItems", maximumCount != nil, isArray),
    ] where isThere && !fits {
      throw JSONError("is not supported for type \(kind.rawValue)", at: pointer + "/" + keyword)
    }
  }

  private func checkBounds(at pointer: String) throws(JSONError) {
    for (keyword, count) in [
      ("minLength", minimumLength), ("maxLength", maximumLength), ("minItems", minimumCount), ("maxItems", maximumCount),
    ] {
      if let count, count < 0 { throw JSONError("must be a whole number, 0 or more", at: pointer + "/" + keyword) }
    }
    if let minimumCount, minimumCount > min(maximumCount ?? .max, choices?.count ?? .max) {
      throw JSONError("is more than can be chosen", at: pointer + "/minItems")
    }
    if let minimumLength, let maximumLength, minimumLength > maximumLength {
      throw JSONError("is less than minLength", at: pointer + "/maxLength")
    }
    if let minimum, let maximum, maximum.isLess(than: minimum) {
      throw JSONError("is less than minimum", at: pointer + "/maximum")
    }
  }

  private func checkPattern(at pointer: String, within budget: inout FormBudget) throws(JSONError) {
    guard let pattern, let matcher else { return }
    do throws(JSONError) {
      let states = try matcher.get().automaton.states.count
      try budget.take(states * FormBudget.stepsPerState, at: pointer + "/pattern")
    } catch {
      throw JSONError(error.message, at: pointer + "/pattern")
    }
    // The pattern is shown to a person whose text does not match.
    try TextRule.label.check(pattern, at: pointer + "/pattern")
  }

  private func checkDefault(at pointer: String, within budget: inout FormBudget) throws(JSONError) {
    guard let defaultValue else { return }
    try budget.take((choices?.count ?? 0) + defaultValue.checkingSteps, at: pointer + "/default")
    // A default is shown in the field, so it is checked like a title. With a pattern, both come from the requester and
    // the cost of matching is the product of their sizes, so the default is limited to a line.
    let rule =
      pattern == nil ? TextRule.value : TextRule(maximumBytes: 256, allowsNewline: false, mayBeInvisible: true)
    if let text = defaultValue.string { try rule.check(text, at: pointer + "/default") }
    if let text = defaultValue.string, let states = try? matcher?.get().automaton.states.count {
      try budget.check(text.unicodeScalars.count * states, at: pointer + "/default")
    }
    if let problem = problem(with: defaultValue, within: &budget) { throw JSONError(problem, at: pointer + "/default") }
  }
}
