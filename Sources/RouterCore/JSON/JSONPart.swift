import FoundationEssentials
package import OrderedCollections

/// A value that can be a member of an object on the wire.
package protocol JSONPart {
  /// - Parameter pointer: A JSON Pointer to the value, for errors.
  init(json: JSONValue, at pointer: String) throws(JSONError)
  func write(to writer: inout JSONWriter)
  /// The JSON Schema of the type.
  static var schema: JSONValue { get }
}

extension JSONPart {
  package static var schema: JSONValue { [:] }
}

/// A part that can be required in a record. Its schema includes a sample value.
package protocol SampledPart: JSONPart {
  static var sample: Self { get }
}

extension JSONValue {
  /// Returns the result of `read` for the value, or throws an error that names the expected type.
  fileprivate func expect<Value>(
    _ expected: StaticString, at pointer: String, _ read: (JSONValue) -> Value?
  ) throws(JSONError) -> Value {
    guard let value = read(self) else { throw JSONError("must be \(expected), not \(typeName)", at: pointer) }
    return value
  }

  /// The members of an object.
  func members(at pointer: String = "") throws(JSONError) -> OrderedDictionary<String, JSONValue> {
    try expect("an object", at: pointer) { $0.object }
  }
}

extension JSONError {
  /// Returns a member's error with a pointer from its object.
  func inside(_ name: String) -> JSONError { JSONError(message, at: "/" + JSONPointer.escape(name) + pointer) }

  /// Returns a value's error with the pointer of its parent prepended.
  func inside(pointer: String) -> JSONError { JSONError(message, at: pointer + self.pointer) }
}

extension JSONValue: SampledPart {
  package static var schema: JSONValue { [:] }
  package static var sample: JSONValue { .null }

  package init(json: JSONValue, at pointer: String) { self = json }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

extension String: SampledPart {
  package static var schema: JSONValue { ["type": "string"] }
  package static var sample: String { "" }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("a string", at: pointer) { $0.string }
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

extension Bool: SampledPart {
  package static var schema: JSONValue { ["type": "boolean"] }
  package static var sample: Bool { false }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("true or false", at: pointer) { $0.bool }
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

/// A count: a whole number, 0 or more.
extension Int: SampledPart {
  package static var schema: JSONValue { ["type": "integer", "minimum": 0] }
  package static var sample: Int { 0 }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    let number = try json.expect("a number", at: pointer) { $0.number }
    guard let count = number.integer, count >= 0 else { throw JSONError("must be a whole number, 0 or more", at: pointer) }
    guard count <= JSONValue.largestInteger else {
      throw JSONError("must be at most \(JSONValue.largestInteger)", at: pointer)
    }
    self = count
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

/// A user id.
extension UInt32: SampledPart {
  package static var schema: JSONValue { ["type": "integer", "minimum": 0] }
  package static var sample: UInt32 { 0 }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let uid = UInt32(exactly: try Int(json: json, at: pointer)) else {
      throw JSONError("must be a user's number", at: pointer)
    }
    self = uid
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: Int(self)) }
}

/// A process id.
extension Int32: SampledPart {
  package static var schema: JSONValue { ["type": "integer", "minimum": 1] }
  package static var sample: Int32 { 1 }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let pid = Int32(exactly: try Int(json: json, at: pointer)) else { throw JSONError("is out of range", at: pointer) }
    self = pid
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: Int(self)) }
}

/// A number that may have a fraction. JSON has no infinities and NaN: they are written as 0.
extension Double: SampledPart {
  package static var schema: JSONValue { ["type": "number"] }
  package static var sample: Double { 0 }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("a number", at: pointer) { $0.number }.double
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: .number(JSONValue.Number(self) ?? JSONValue.Number(0))) }
}

/// An RFC 3339 time.
extension Timestamp: SampledPart {
  package static var schema: JSONValue { ["type": "string", "format": "date-time"] }
  package static var sample: Timestamp { Timestamp(milliseconds: 0) }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let time = Timestamp(try String(json: json, at: pointer)) else {
      throw JSONError("must be an RFC 3339 time", at: pointer)
    }
    self = time
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: description) }
}

/// A number of seconds, zero or more, in milliseconds precision.
extension Duration: SampledPart {
  package static var schema: JSONValue { ["type": "number", "minimum": 0] }
  package static var sample: Duration { .zero }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    let number = try json.expect("a number", at: pointer) { $0.number }
    guard number.double >= 0, number.double < 1e12 else { throw JSONError("must be a length of time in seconds", at: pointer) }
    self = .milliseconds(Int64((number.double * 1000).rounded()))
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: .seconds(self)) }
}

extension PresentationID: SampledPart {
  package static var schema: JSONValue { .schema("PresentationID") }
  package static var sample: PresentationID {
    PresentationID(uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)))
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let id = PresentationID(try String(json: json, at: pointer)) else { throw JSONError("must be a UUID", at: pointer) }
    self = id
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: description) }
}

/// Bytes as hexadecimal digits.
package struct Hexadecimal: SampledPart {
  package static var schema: JSONValue { String.schema }
  package static var sample: Hexadecimal { Hexadecimal([]) }

  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let bytes = [UInt8](hexadecimal: try String(json: json, at: pointer)) else {
      throw JSONError("must be hexadecimal", at: pointer)
    }
    self.bytes = bytes
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: bytes.hexadecimal) }
}

extension Array: JSONPart, SampledPart where Element: JSONPart {
  package static var schema: JSONValue { ["type": "array", "items": Element.schema] }
  package static var sample: [Element] { [] }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = []
    for (index, element) in try json.expect("an array", at: pointer, { $0.array }).enumerated() {
      do { append(try Element(json: element, at: "")) } catch { throw error.inside(String(index)).inside(pointer: pointer) }
    }
  }
  package func write(to writer: inout JSONWriter) {
    writer.addArray(self) { writer, element in element.write(to: &writer) }
  }
}

/// Parts by name, in order.
extension OrderedDictionary: JSONPart, SampledPart where Key == String, Value: JSONPart {
  package static var schema: JSONValue { ["type": "object", "additionalProperties": Value.schema] }
  package static var sample: OrderedDictionary<String, Value> { [:] }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = [:]
    for (name, member) in try json.members(at: pointer) {
      do { self[name] = try Value(json: member, at: "") } catch {
        throw error.inside(name.shortened).inside(pointer: pointer)
      }
    }
  }
  package func write(to writer: inout JSONWriter) {
    writer.addObject { $0.add(members: self) }
  }
}

extension JSONValue {
  /// The JSON Schema of a number from 1.
  package static var positive: JSONValue { ["type": "integer", "minimum": 1] }

  /// The JSON Schema of a SHA-256 in hexadecimal.
  package static var sha256: JSONValue { ["type": "string", "pattern": "^[0-9a-f]{64}$"] }
}

/// An enumeration whose cases have names on the wire.
package protocol JSONName: SampledPart, RawRepresentable<String>, CaseIterable {
  /// The name of its schema in the OpenAPI document; `nil` to inline the schema.
  static var schemaName: String? { get }
  /// The description in the OpenAPI document.
  static var about: String { get }
}

extension JSONName {
  package static var schemaName: String? { nil }
  package static var about: String { "" }
  package static var schema: JSONValue { schemaName.map(JSONValue.schema) ?? definition }
  package static var sample: Self { allCases[allCases.startIndex] }

  /// The full JSON Schema; ``schema`` is a reference to it if it has a name.
  package static var definition: JSONValue {
    var members: OrderedDictionary<String, JSONValue> = about.isEmpty ? [:] : ["description": .string(about)]
    members["type"] = "string"
    members["enum"] = .array(allCases.map { .string($0.rawValue) })
    return .object(members)
  }

  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    let text = try String(json: json, at: pointer)
    guard let name = Self(rawValue: text) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw JSONError("must be one of \(known), not \"\(text.shortened)\"", at: pointer)
    }
    self = name
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: rawValue) }
}
