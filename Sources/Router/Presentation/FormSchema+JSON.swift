import OrderedCollections

extension FormSchema {
  /// The JSON Schema.
  public var json: JSONValue {
    var members: OrderedDictionary<String, JSONValue> = ["type": "object"]
    members["title"] = title.map(JSONValue.string)
    members["description"] = description.map(JSONValue.string)
    members["properties"] = .object(
      OrderedDictionary(properties.map { ($0.name, $0.json) }, uniquingKeysWith: { first, _ in first }))
    let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { members["required"] = .array(required) }
    return .object(members)
  }

  /// Reads a JSON Schema of the subset.
  ///
  /// - Throws: A ``JSONError`` that points to the keyword that is unknown or makes no sense.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let type = try reader.requiredString("type")
    guard type == "object" else { throw reader.error("must be \"object\"", at: "type") }
    title = try reader.string("title")
    description = try reader.string("description")
    if let title { try TextRule.title.check(title, at: reader.pointer(to: "title")) }
    if let description { try TextRule.message.check(description, at: reader.pointer(to: "description")) }
    guard let members = reader.value("properties") else { throw reader.error("is missing", at: "properties") }
    let path = reader.pointer(to: "properties")
    guard let object = members.object else { throw JSONError("must be an object, not \(members.typeName)", at: path) }
    guard object.count <= 64 else { throw JSONError("must have at most 64 fields", at: path) }
    properties = []
    for (name, property) in object {
      let place = path + "/" + JSONPointer.escape(name)
      guard !name.isEmpty, name.utf8.count <= 64 else {
        throw JSONError("a field's name must have 1 to 64 bytes", at: place.shortened)
      }
      try TextRule.label.check(name, at: place)
      properties.append(try FormProperty(name: name, json: property, at: place))
    }
    for (index, element) in (try reader.array("required") ?? []).enumerated() {
      guard let name = element.string, let position = properties.firstIndex(where: { $0.name == name }) else {
        throw JSONError("must name one of the properties", at: reader.pointer(to: "required") + "/\(index)")
      }
      properties[position].isRequired = true
    }
    try reader.finish()
  }
}

extension FormSchema {
  /// Whether a schema that was made in this process is one that the wire would take.
  ///
  /// - Throws: A ``JSONError`` that points to what is to blame.
  func checkForm(at pointer: String) throws(JSONError) {
    var names: Set<String> = []
    for property in properties where !names.insert(property.name).inserted {
      throw JSONError("is the name of two fields", at: pointer + "/properties/" + JSONPointer.escape(property.name))
    }
    _ = try FormSchema(json: json, at: pointer)
  }
}

extension FormProperty {
  var json: JSONValue {
    var members: OrderedDictionary<String, JSONValue> = ["type": .string(kind.rawValue)]
    members["title"] = title.map(JSONValue.string)
    members["description"] = description.map(JSONValue.string)
    members["enum"] = choices.map(JSONValue.array)
    members["minLength"] = minimumLength.map(JSONValue.integer)
    members["maxLength"] = maximumLength.map(JSONValue.integer)
    members["minimum"] = minimum.map(JSONValue.number)
    members["maximum"] = maximum.map(JSONValue.number)
    members["pattern"] = pattern.map(JSONValue.string)
    members["format"] = format.map(JSONValue.string)
    members["default"] = defaultValue
    return .object(members)
  }

  init(name: String, json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let choices = try reader.array("enum")
    let declared: Kind? = try reader.choice("type")
    // MCP lets an enumeration of strings go without a type.
    guard let kind = declared ?? (choices == nil ? nil : .string) else { throw reader.error("is missing", at: "type") }
    self.init(name: name, kind: kind)
    title = try reader.string("title")
    description = try reader.string("description")
    if let title { try TextRule.label.check(title, at: reader.pointer(to: "title")) }
    if let description { try TextRule.message.check(description, at: reader.pointer(to: "description")) }
    try readChoices(choices, from: &reader)
    try readBounds(from: &reader)
    defaultValue = reader.any("default")
    try reader.finish()
    if let defaultValue {
      // It stands in the field before the person, as a title does. Both it and the pattern are the requester's, and matching
      // takes the product of their sizes: what goes with a pattern is a line, not a page.
      let rule = pattern == nil ? TextRule.message : .label
      if let text = defaultValue.string { try rule.check(text, at: reader.pointer(to: "default")) }
      if let problem = problem(with: defaultValue) { throw JSONError(problem, at: reader.pointer(to: "default")) }
    }
  }

  private mutating func readChoices(_ choices: [JSONValue]?, from reader: inout JSONObjectReader) throws(JSONError) {
    guard let choices else { return }
    guard kind != .boolean else { throw reader.error("does not go with a boolean", at: "enum") }
    let isRepeated = choices.indices.contains { index in choices[..<index].contains { $0.isSame(as: choices[index]) } }
    guard (1...256).contains(choices.count), !isRepeated else {
      throw reader.error("must have 1 to 256 different values", at: "enum")
    }
    for (index, choice) in choices.enumerated() {
      let place = reader.pointer(to: "enum") + "/\(index)"
      if let problem = problem(with: choice) { throw JSONError(problem, at: place) }
      if let text = choice.string { try TextRule.label.check(text, at: place) }
    }
    self.choices = choices
  }

  private mutating func readBounds(from reader: inout JSONObjectReader) throws(JSONError) {
    minimumLength = try reader.count("minLength")
    maximumLength = try reader.count("maxLength")
    minimum = try reader.number("minimum")
    maximum = try reader.number("maximum")
    pattern = try reader.string("pattern")
    format = try reader.string("format")
    let isText = kind == .string
    let isNumber = kind == .number || kind == .integer
    for (keyword, isThere, fits) in [
      ("minLength", minimumLength != nil, isText), ("maxLength", maximumLength != nil, isText),
      ("pattern", pattern != nil, isText), ("format", format != nil, isText),
      ("minimum", minimum != nil, isNumber), ("maximum", maximum != nil, isNumber),
    ] where isThere && !fits {
      throw reader.error("does not go with type \(kind.rawValue)", at: keyword)
    }
    if let minimumLength, let maximumLength, minimumLength > maximumLength {
      throw reader.error("is less than minLength", at: "maxLength")
    }
    if let minimum, let maximum, maximum.isLess(than: minimum) {
      throw reader.error("is less than minimum", at: "maximum")
    }
    if let pattern {
      do {
        _ = try FormPattern(pattern)
      } catch {
        throw reader.error(error.message, at: "pattern")
      }
      // Whoever types what does not match is shown the pattern.
      try TextRule.label.check(pattern, at: reader.pointer(to: "pattern"))
    }
    if let format, format != "password" { throw reader.error("must be \"password\"", at: "format") }
  }
}
