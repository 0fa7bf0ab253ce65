package import OrderedCollections

/// A value that is an object on the wire. Its initializer names each member once. ``Fields`` takes the members from JSON to
/// read the value, or from another value to write it.
///
/// The initializer's order is the order on the wire. Writing a value runs the initializer again, so it must take every member
/// of every value, and only the calls of ``Fields`` may throw.
package protocol Record: JSONObject, SampledPart {
  init(_ f: inout Fields<Self>) throws(JSONError)
  /// The name of its schema in the OpenAPI document.
  static var schemaName: String { get }
  /// The description in the OpenAPI document.
  static var about: String { get }
  /// Further keywords of its JSON Schema, for conditions between members.
  static var conditions: OrderedDictionary<String, JSONValue> { get }
  /// Whether to ignore unknown members, which newer versions may add.
  static var ignoresUnknown: Bool { get }
}

extension Record {
  package static var ignoresUnknown: Bool { false }
  package static var schemaName: String { "\(Self.self)" }
  package static var about: String { "" }
  package static var conditions: OrderedDictionary<String, JSONValue> { [:] }
  package static var schema: JSONValue { .schema(schemaName) }

  package static var sample: Self {
    var fields = Fields<Self>()
    guard let sample = try? Self(&fields) else { preconditionFailure("\(Self.self) throws without JSON") }
    return sample
  }

  /// The full JSON Schema; ``schema`` is a reference to it.
  package static var definition: JSONValue {
    var fields = Fields<Self>()
    _ = try? Self(&fields)
    return fields.schema.definition(about, isOpen: ignoresUnknown, conditions)
  }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) { try self.init(record: json, at: pointer) }

  /// Decodes a value from JSON. Rejects unknown members.
  package init(exactly json: JSONValue) throws(JSONError) { try self.init(reading: json, ignoringUnknown: false) }

  /// Decodes a value, for types with a different public initializer.
  package init(record json: JSONValue, at pointer: String) throws(JSONError) {
    do { try self.init(reading: json, ignoringUnknown: Self.ignoresUnknown) } catch { throw error.inside(pointer: pointer) }
  }

  private init(reading json: JSONValue, ignoringUnknown: Bool) throws(JSONError) {
    var fields = Fields<Self>(members: try Members(json))
    try self.init(&fields)
    if !ignoringUnknown, let untaken = fields.members?.untaken, !UnknownMembers.areIgnored {
      throw JSONError("is not a known field").inside(untaken.shortened)
    }
  }

  package func addMembers(to writer: inout JSONWriter) {
    var fields = Fields(value: self)
    swap(&fields.writer, &writer)
    // Each member comes from the value. An error would truncate the text.
    do { _ = try Self(&fields) } catch { preconditionFailure("\(Self.self) throws while it is written: \(error)") }
    swap(&fields.writer, &writer)
  }
}

/// The members of a record, read from JSON, written from a value, or listed for its schema.
///
/// Each call may add a description, and a JSON Schema if the part's own is too general.
package struct Fields<Value> {
  fileprivate var value: Value?
  fileprivate var writer = JSONWriter(bytes: [])
  var members: Members?
  fileprivate var schema = ObjectSchema()

  fileprivate init() {}

  fileprivate init(value: Value) { self.value = value }

  init(members: Members) { self.members = members }

  // Uses a function, because the compiler replaces key paths by direct access only here. Inlined, because writing otherwise
  // takes twice as long. Uses `value!`, because `if let` would copy the value for each member.

  /// Takes a required member.
  ///
  /// - Parameter advice: The advice in the error for a missing member.
  @inline(__always)
  package mutating func callAsFunction<Part: SampledPart>(
    _ name: StaticString, _ get: (Value) -> Part, _ text: StaticString = "",
    _ schema: @autoclosure () -> JSONValue = Part.schema, advice: StaticString = ""
  ) throws(JSONError) -> Part {
    if value != nil { return writer.adding(name, get(value!)) }
    return try take(name, text, schema, .required, advice) ?? Part.sample
  }

  /// Takes a member that is absent for `nil`.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    _ name: StaticString, _ get: (Value) -> Part?, _ text: StaticString = "",
    _ schema: @autoclosure () -> JSONValue = Part.schema
  ) throws(JSONError) -> Part? {
    if value != nil { return writer.adding(name, ifPresent: get(value!)) }
    return try take(name, text, schema, .optional)
  }

  /// Takes a member that is absent if it has its default.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart & Equatable>(
    _ name: StaticString, default standard: Part, _ get: (Value) -> Part, _ text: StaticString = "",
    _ schema: @autoclosure () -> JSONValue = Part.schema
  ) throws(JSONError) -> Part {
    if value != nil {
      let part = get(value!)
      return part == standard ? part : writer.adding(name, part)
    }
    return try take(name, text, schema, .optional) ?? listed(name, standard)
  }

  /// Takes a member that is always written. Uses the default if it is absent, as in older versions.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    _ name: StaticString, ifAbsent standard: Part, _ get: (Value) -> Part, _ text: StaticString = "",
    _ schema: @autoclosure () -> JSONValue = Part.schema
  ) throws(JSONError) -> Part {
    if value != nil { return writer.adding(name, get(value!)) }
    return try take(name, text, schema, .written) ?? listed(name, standard)
  }

  /// Takes a member that is written as `null` for `nil`.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    orNull name: StaticString, _ get: (Value) -> Part?, _ text: StaticString = "",
    _ schema: @autoclosure () -> JSONValue = Part.schema
  ) throws(JSONError) -> Part? {
    if value != nil {
      guard let part = get(value!) else {
        writer.add(name, .null)
        return nil
      }
      return writer.adding(name, part)
    }
    return try take(name, text, schema, .nullable)
  }

  /// Takes a member with any value, including `null`.
  @inline(__always)
  package mutating func callAsFunction(
    orAny name: StaticString, _ get: (Value) -> JSONValue?, _ text: StaticString = ""
  ) throws(JSONError) -> JSONValue? {
    if value != nil { return writer.adding(name, ifPresent: get(value!)) }
    if members != nil { return members?.take(name.description) }
    schema.add(name, JSONValue.schema, text, .optional)
    return nil
  }

  /// Takes a member that only earlier versions wrote. Writes it back unchanged, and omits it from the schema.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    earlier name: StaticString, _ get: (Value) -> Part?
  ) throws(JSONError) -> Part? {
    if value != nil { return writer.adding(name, ifPresent: get(value!)) }
    return members == nil ? nil : try take(name, "", { Part.schema }, .optional)
  }

  /// Takes the members of another record in the same object.
  @inline(__always)
  package mutating func inline<Part: Record>(_ get: (Value) -> Part) throws(JSONError) -> Part {
    if value != nil {
      let part = get(value!)
      part.addMembers(to: &writer)
      return part
    }
    return try inlined()
  }

  private mutating func inlined<Part: Record>() throws(JSONError) -> Part {
    var part = Fields<Part>()
    (part.members, part.schema) = (members, schema)
    defer { (members, schema) = (part.members, part.schema) }
    return try Part(&part)
  }

  /// Checks a condition that involves several members.
  package func check(
    _ condition: @autoclosure () -> Bool, _ message: String, at name: String? = nil
  ) throws(JSONError) {
    guard members != nil, !condition() else { return }
    let error = JSONError(message)
    throw name.map { error.inside($0) } ?? error
  }

  /// Returns a default and adds it to the schema.
  private mutating func listed<Part: JSONPart>(_ name: StaticString, _ standard: Part) -> Part {
    if members == nil {
      var writer = JSONWriter(bytes: [])
      standard.write(to: &writer)
      schema.add(name, default: writer.bytes)
    }
    return standard
  }

  /// Takes a member from JSON, or adds it to the schema.
  ///
  /// - Returns: `nil` if it is absent.
  private mutating func take<Part: JSONPart>(
    _ name: StaticString, _ text: StaticString, _ schema: () -> JSONValue, _ presence: ObjectSchema.Presence,
    _ advice: StaticString = ""
  ) throws(JSONError) -> Part? {
    if members == nil {
      self.schema.add(name, schema(), text, presence)
      return nil
    }
    let name = name.description
    if let json = members!.take(name), json != .null {
      do { return try Part(json: json, at: "") } catch { throw error.inside(name) }
    }
    guard presence != .required else {
      throw JSONError("is missing\(advice.utf8CodeUnitCount == 0 ? "" : ": ")\(advice)").inside(name)
    }
    return nil
  }
}

/// The members of an object that is being read.
struct Members {
  private var members: OrderedDictionary<String, JSONValue>
  /// A bit for each member. No record has more than 64.
  private var taken: UInt64 = 0
  private var next = 0

  init(_ json: JSONValue) throws(JSONError) { members = try json.members() }

  /// Takes a member; `nil` if it is absent or already taken. Most members are taken in their order.
  mutating func take(_ name: String) -> JSONValue? {
    let isNext = next < members.count && members.elements[next].key.isSame(as: name)
    guard let index = isNext ? next : members.index(forKey: name), members.elements[index].key.isSame(as: name),
      !isTaken(index)
    else { return nil }
    next = index + 1
    if index < 64 { taken |= 1 << UInt64(index) }
    return members.elements[index].value
  }

  /// Adds members converted from those of an earlier version.
  mutating func add(_ others: OrderedDictionary<String, JSONValue>) { members.merge(others) { $1 } }

  private func isTaken(_ index: Int) -> Bool { index < 64 && taken & 1 << UInt64(index) != 0 }

  /// The name of a member that was not taken.
  var untaken: String? {
    members.elements.indices.first { !isTaken($0) }.map { members.elements[$0].key }
  }
}

/// The JSON Schema of an object, built member by member.
private struct ObjectSchema {
  enum Presence {
    case required, optional
    /// Always written, but optional on input.
    case written
    /// Like ``written``, with `null` for no value.
    case nullable
  }

  private var properties: OrderedDictionary<String, JSONValue> = [:]
  private var presences: OrderedDictionary<String, Presence> = [:]
  private var defaults: [String: JSONValue] = [:]

  mutating func add(_ name: StaticString, _ schema: JSONValue, _ text: StaticString, _ presence: Presence) {
    var members = (presence == .nullable ? schema.orNull : schema).object ?? [:]
    if text.utf8CodeUnitCount > 0 { members.updateValue(.string(text.description), forKey: "description", insertingAt: 0) }
    properties[name.description] = .object(members)
    presences[name.description] = presence
  }

  mutating func add(_ name: StaticString, default bytes: [UInt8]) {
    defaults[name.description] = try? JSONValue(parsing: bytes)
  }

  /// - Parameter isOpen: Whether only programs of other versions read the object, so that members that are always written are
  ///   required.
  func definition(
    _ about: String, isOpen: Bool, _ conditions: OrderedDictionary<String, JSONValue>
  ) -> JSONValue {
    var schema: OrderedDictionary<String, JSONValue> = about.isEmpty ? [:] : ["description": .string(about)]
    schema["type"] = "object"
    let required = presences.filter { $0.value == .required || isOpen && $0.value != .optional }.keys
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    var properties = properties
    for (name, standard) in defaults where !required.contains(name) && properties[name]?["default"] == nil {
      guard case .object(var members) = properties[name] else { continue }
      members["default"] = standard
      properties[name] = .object(members)
    }
    schema["properties"] = .object(properties)
    if !isOpen { schema["additionalProperties"] = false }
    schema.merge(conditions) { $1 }
    return .object(schema)
  }
}

extension JSONValue {
  /// A reference to a schema of the OpenAPI document.
  package static func schema(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/" + name)] }

  /// A schema that also allows `null`.
  fileprivate var orNull: JSONValue {
    guard var members = object, let type = members["type"] else {
      return object == [:] ? self : ["anyOf": [self, ["type": "null"]]]
    }
    members["type"] = [type, "null"]
    if let choices = members["enum"]?.array { members["enum"] = .array(choices + [.null]) }
    return .object(members)
  }
}

extension JSONWriter {
  /// Adds a member and returns its value.
  fileprivate mutating func adding<Part: JSONPart>(_ name: StaticString, _ part: Part) -> Part {
    add(name, part)
    return part
  }

  fileprivate mutating func adding<Part: JSONPart>(_ name: StaticString, ifPresent part: Part?) -> Part? {
    if let part { add(name, part) }
    return part
  }
}
