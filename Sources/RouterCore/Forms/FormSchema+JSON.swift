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

  /// Decodes the supported subset of JSON Schema. Throws a ``JSONError`` that points to an unknown or inconsistent
  /// keyword.
  public init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    try self.init(accepted: json, at: pointer)
    var budget = FormBudget()
    try checkForm(at: pointer, within: &budget)
  }

  /// Decodes a previously accepted form without checking it again.
  package init(accepted json: JSONValue, at pointer: String = "") throws(JSONError) {
    var reader = try JSONObjectReader(json, at: pointer)
    let type = try reader.required("type", as: String.self)
    guard type == "object" else { throw reader.error("must be \"object\"", at: "type") }
    title = try reader.string("title")
    description = try reader.string("description")
    guard let members = reader.value("properties") else { throw reader.error("is missing", at: "properties") }
    let path = reader.pointer(to: "properties")
    guard let object = members.object else { throw JSONError("must be an object, not \(members.typeName)", at: path) }
    try Self.checkCount(object.count, at: path)
    properties = []
    for (name, property) in object {
      let place = path + "/" + JSONPointer.escape(name.shortened)
      properties.append(try FormSchema.Property(name: name, json: property, at: place))
    }
    for (index, element) in (try reader.array("required") ?? []).enumerated() {
      guard let name = element.string, let position = properties.firstIndex(where: { $0.name.isSame(as: name) }) else {
        throw JSONError("must name one of the properties", at: reader.pointer(to: "required") + "/\(index)")
      }
      guard !properties[position].isRequired else {
        throw JSONError("must name each property once", at: reader.pointer(to: "required") + "/\(index)")
      }
      properties[position].isRequired = true
    }
    // Only `false` is accepted, since an answer never has additional members.
    if let extra = reader.any("additionalProperties"), extra != false {
      throw reader.error("must be false: an answer has the form's fields only", at: "additionalProperties")
    }
    reader.ignoreAnnotations()
    try reader.finish()
  }
}

extension FormSchema.Property {
  var json: JSONValue {
    let type = JSONValue.string(kind.rawValue)
    var members: OrderedDictionary<String, JSONValue> = ["type": isNullable ? .array([type, "null"]) : type]
    members["title"] = title.map(JSONValue.string)
    members["description"] = description.map(JSONValue.string)
    if kind == .array {
      var items: OrderedDictionary<String, JSONValue> = ["type": "string"]
      if let (keyword, choices) = choiceKeyword("anyOf") { items[keyword] = choices }
      members["items"] = .object(items)
      members["minItems"] = minimumCount.map(JSONValue.integer)
      members["maxItems"] = maximumCount.map(JSONValue.integer)
      members["uniqueItems"] = true
    } else if let (keyword, choices) = choiceKeyword("oneOf") {
      members[keyword] = choices
    }
    members["minLength"] = minimumLength.map(JSONValue.integer)
    members["maxLength"] = maximumLength.map(JSONValue.integer)
    members["minimum"] = minimum.map(JSONValue.number)
    members["maximum"] = maximum.map(JSONValue.number)
    members["pattern"] = pattern.map(JSONValue.string)
    members["format"] = format.map { .string($0.rawValue) }
    members["default"] = defaultValue
    return .object(members)
  }

  /// Decodes a field. The consistency of keywords is checked later, for the whole form.
  fileprivate init(name: String, json: JSONValue, at pointer: String) throws(JSONError) {
    var reader = try JSONObjectReader(Self.flattened(json), at: pointer)
    let type = try Self.type(from: &reader)
    var choices = type?.kind == .array ? nil : try reader.choices(titledBy: ["oneOf"])
    // MCP allows an enumeration of strings without a type.
    guard let kind = type?.kind ?? (choices == nil ? nil : .string) else {
      throw reader.error("is missing", at: "type")
    }
    self.init(name: name, kind: kind, pattern: try reader.string("pattern"))
    isNullable = type?.isNullable ?? false
    if isNullable, choices != nil {
      // JSON Schema allows null only if the enumeration contains it.
      let null = choices?.values.firstIndex(of: .null)
      isNullable = null != nil
      if let null { choices?.remove(at: null) }
    }
    if kind == .array { choices = try Self.items(from: &reader) }
    (self.choices, choiceTitles) = (choices?.values, choices?.titles)
    title = try reader.string("title")
    description = try reader.string("description")
    minimumLength = try reader.count("minLength")
    maximumLength = try reader.count("maxLength")
    minimumCount = try reader.count("minItems")
    maximumCount = try reader.count("maxItems")
    minimum = try reader.number("minimum")
    maximum = try reader.number("maximum")
    format = try reader("format")
    defaultValue = reader.any("default")
    if isNullable, defaultValue == .some(.null) { defaultValue = nil }
    reader.ignoreAnnotations()
    try reader.finish()
  }

  /// Converts pydantic's form of an optional field, `"anyOf": [{"type": "string"}, {"type": "null"}]`, to `"type": ["string",
  /// "null"]`.
  private static func flattened(_ json: JSONValue) -> JSONValue {
    guard var members = json.object, let options = members["anyOf"]?.array, options.count == 2,
      let null = options.firstIndex(of: ["type": "null"]), let other = options[1 - null].object,
      let type = other["type"], type.string != nil, Set(members.keys).isDisjoint(with: other.keys)
    else { return json }
    members["anyOf"] = nil
    members.merge(other) { own, _ in own }
    members["type"] = [type, "null"]
    if let choices = other["enum"]?.array { members["enum"] = .array(choices + [.null]) }
    if let choices = other["oneOf"]?.array { members["oneOf"] = .array(choices + [["const": nil, "title": "None"]]) }
    return .object(members)
  }

  private static func type(
    from reader: inout JSONObjectReader
  ) throws(JSONError) -> (kind: Kind, isNullable: Bool)? {
    guard let value = reader.value("type") else { return nil }
    let names = value.array ?? [value]
    let kinds = names.filter { $0 != "null" }
    guard names.count <= 2, kinds.count == 1, let kind = kinds[0].string.flatMap(Kind.init) else {
      let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.error("must be one of \(known), or an array of one of them and \"null\"", at: "type")
    }
    return (kind, kinds.count < names.count)
  }
}

extension JSONObjectReader {
  /// Skips the annotations of JSON Schema, which do not affect validation.
  mutating func ignoreAnnotations() {
    for keyword in ["$schema", "$id", "$comment", "deprecated", "examples", "writeOnly"] { _ = any(keyword) }
  }
}
