package import OrderedCollections

/// A value that can be a member of an object on the wire.
package protocol JSONPart {
  /// - Parameter pointer: A JSON Pointer to the value, for errors.
  init(json: JSONValue, at pointer: String) throws(JSONError)
  func write(to writer: inout JSONWriter)
}

extension JSONValue {
  /// Returns what `read` finds in the value.
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
  /// The error of a member, as an error of its object.
  func inside(_ name: String) -> JSONError { JSONError(message, at: "/" + JSONPointer.escape(name) + pointer) }

  /// The error of a value at a pointer.
  func inside(pointer: String) -> JSONError { JSONError(message, at: pointer + self.pointer) }
}

extension JSONValue: JSONPart {
  package init(json: JSONValue, at pointer: String) { self = json }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

extension String: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("a string", at: pointer) { $0.string }
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

extension Bool: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("true or false", at: pointer) { $0.bool }
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: self) }
}

/// A count: a whole number, 0 or more.
extension Int: JSONPart {
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

/// A user's number.
extension UInt32: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let uid = UInt32(exactly: try Int(json: json, at: pointer)) else {
      throw JSONError("must be a user's number", at: pointer)
    }
    self = uid
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: Int(self)) }
}

/// A process id.
extension Int32: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let pid = Int32(exactly: try Int(json: json, at: pointer)) else { throw JSONError("is out of range", at: pointer) }
    self = pid
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: Int(self)) }
}

/// A number that may have a fraction. Infinities and NaN, which JSON does not have, are written as 0.
extension Double: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = try json.expect("a number", at: pointer) { $0.number }.double
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: .number(JSONValue.Number(self) ?? JSONValue.Number(0))) }
}

/// An RFC 3339 time.
extension Timestamp: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let time = Timestamp(try String(json: json, at: pointer)) else {
      throw JSONError("must be an RFC 3339 time", at: pointer)
    }
    self = time
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: description) }
}

/// A number of seconds, zero or more, in milliseconds precision.
extension Duration: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    let number = try json.expect("a number", at: pointer) { $0.number }
    guard number.double >= 0, number.double < 1e12 else { throw JSONError("must be a length of time in seconds", at: pointer) }
    self = .milliseconds(Int64((number.double * 1000).rounded()))
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: .seconds(self)) }
}

extension PresentationID: JSONPart {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let id = PresentationID(try String(json: json, at: pointer)) else { throw JSONError("must be a UUID", at: pointer) }
    self = id
  }
  package func write(to writer: inout JSONWriter) { writer.add(part: description) }
}

/// Bytes as hexadecimal digits.
struct Hexadecimal: JSONPart {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(json: JSONValue, at pointer: String) throws(JSONError) {
    guard let bytes = [UInt8](hexadecimal: try String(json: json, at: pointer)) else {
      throw JSONError("must be hexadecimal", at: pointer)
    }
    self.bytes = bytes
  }
  func write(to writer: inout JSONWriter) { writer.add(part: bytes.hexadecimal) }
}

extension Array: JSONPart where Element: JSONPart {
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

/// Texts by name, in order.
extension OrderedDictionary: JSONPart where Key == String, Value == String {
  package init(json: JSONValue, at pointer: String) throws(JSONError) {
    self = [:]
    for (name, member) in try json.members(at: pointer) {
      do { self[name] = try String(json: member, at: "") } catch {
        throw error.inside(name.shortened).inside(pointer: pointer)
      }
    }
  }
  package func write(to writer: inout JSONWriter) {
    writer.addObject { $0.add(members: mapValues { .string($0) }) }
  }
}

/// An enumeration whose cases have names on the wire.
package protocol JSONName: JSONPart, RawRepresentable<String>, CaseIterable {}

extension JSONName {
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
