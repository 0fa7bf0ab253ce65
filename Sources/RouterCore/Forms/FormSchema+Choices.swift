import OrderedCollections

/// The choices of a field: `enum` without titles; with titles, `oneOf`, or `anyOf` for an array, with a `const` and a `title`
/// each.
struct FormChoices {
  var values: [JSONValue]
  var titles: [String]?

  mutating func remove(at index: Int) {
    values.remove(at: index)
    titles?.remove(at: index)
  }
}

extension FormSchema.Property {
  /// The maximum number of choices.
  private var maximumChoices: Int { kind == .array ? 10_000 : 256 }

  /// The text of each choice for display.
  package var choiceLabels: [String] {
    guard let choices else { return [] }
    if let choiceTitles, choiceTitles.count == choices.count { return choiceTitles }
    return choices.map(\.asTyped)
  }

  /// Returns the labels of the choices in an answer's value; `nil` if the value contains anything else.
  package func labels(of value: JSONValue) -> [String]? {
    guard let choices else { return nil }
    let labels = Dictionary(zip(choices, choiceLabels), uniquingKeysWith: { first, _ in first })
    let chosen = value.array ?? [value]
    let texts = chosen.compactMap { labels[$0] }
    return texts.count == chosen.count ? texts : nil
  }

  /// Checks the choices, in linear time.
  func checkChoices(at pointer: String, within budget: inout FormBudget) throws(JSONError) {
    guard let choices else {
      if kind == .array { throw JSONError("is missing", at: pointer + "/items") }
      return
    }
    let pointer = kind == .array ? pointer + "/items" : pointer
    let keyword = choiceTitles == nil ? "enum" : kind == .array ? "anyOf" : "oneOf"
    try budget.take(choices.reduce(0) { $0 + $1.checkingSteps }, at: pointer + "/" + keyword)
    guard (1...maximumChoices).contains(choices.count), !Self.hasRepetition(choices) else {
      throw JSONError("must have 1 to \(maximumChoices) different values", at: pointer + "/" + keyword)
    }
    guard choiceTitles == nil || choiceTitles?.count == choices.count else {
      throw JSONError("must have a title for each value", at: pointer + "/" + keyword)
    }
    // Checks only the type: matching hundreds of choices with a pattern would take too long.
    let plain = FormSchema.Property(name: name, kind: kind == .array ? .string : kind)
    var labels: Set<String> = []
    for (index, choice) in choices.enumerated() {
      do throws(JSONError) {
        let value = choiceTitles == nil ? "" : "/const"
        if let problem = plain.problem(with: choice) { throw JSONError(problem, at: value) }
        if let text = choice.string { try TextRule.label.check(text, at: value) }
        guard let label = choiceTitles?[index] ?? choice.string else { continue }
        let title = choiceTitles == nil ? "" : "/title"
        if choiceTitles != nil {
          guard !label.isEmpty else { throw JSONError("must not be empty", at: title) }
          try budget.take(label.utf8.count, at: title)
          try TextRule.label.check(label, at: title)
        }
        guard labels.insert(label.asSeen).inserted else { throw JSONError("looks the same as another choice", at: title) }
      } catch {
        throw JSONError(error.message, at: pointer + "/\(keyword)/\(index)" + error.pointer)
      }
    }
  }

  private static func hasRepetition(_ choices: [JSONValue]) -> Bool {
    // Equal numbers may have different digits.
    let numbers = choices.compactMap { $0.number?.identity }
    let others = choices.filter { $0.number == nil }
    return Set(numbers).count < numbers.count || Set(others).count < others.count
  }

  /// The keyword of the schema that lists the choices, with its value.
  func choiceKeyword(_ titled: String) -> (String, JSONValue)? {
    guard let choices else { return nil }
    let null: [JSONValue] = isNullable && kind != .array ? [nil] : []
    guard let choiceTitles else { return ("enum", .array(choices + null)) }
    let options = zip(choices, choiceTitles).map { ["const": $0, "title": .string($1)] as JSONValue }
    return (titled, .array(options + null.map { ["const": $0, "title": "None"] }))
  }

  /// Decodes the `items` of an array.
  static func items(from reader: inout JSONObjectReader) throws(JSONError) -> FormChoices? {
    // An answer has each choice at most once.
    if let unique = reader.any("uniqueItems"), unique != true {
      throw reader.error("must be true: a choice is chosen once", at: "uniqueItems")
    }
    return try reader.object("items") { (json, pointer) throws(JSONError) in
      var items = try JSONObjectReader(json, at: pointer)
      if let type = try items.string("type"), type != "string" {
        throw items.error("must be \"string\"", at: "type")
      }
      guard let choices = try items.choices(titledBy: ["anyOf", "oneOf"]) else {
        throw items.error("is missing", at: "enum")
      }
      items.ignoreAnnotations()
      try items.finish()
      return choices
    }
  }
}

extension JSONObjectReader {
  mutating func choices(titledBy keywords: [String]) throws(JSONError) -> FormChoices? {
    if let values = try array("enum") { return FormChoices(values: values) }
    for keyword in keywords {
      guard let options = try array(keyword) else { continue }
      var choices = FormChoices(values: [], titles: [])
      for (index, option) in options.enumerated() {
        var reader = try JSONObjectReader(option, at: pointer(to: keyword) + "/\(index)")
        guard let value = reader.any("const") else { throw reader.error("is missing", at: "const") }
        choices.values.append(value)
        choices.titles?.append(try reader.string("title") ?? value.asTyped)
        reader.ignoreAnnotations()
        try reader.finish()
      }
      return choices
    }
    return nil
  }
}
