import OrderedCollections

/// Takes the members of an object by name and type, and reports the members left over.
package struct JSONObjectReader {
  private var members: Members
  private let pointer: String

  package init(_ value: JSONValue, at pointer: String = "") throws(JSONError) {
    do { members = try Members(value) } catch { throw error.inside(pointer: pointer) }
    self.pointer = pointer
  }

  func pointer(to key: String) -> String { pointer + "/" + JSONPointer.escape(key) }

  package func error(_ message: String, at key: String) -> JSONError { JSONError(message, at: pointer(to: key)) }

  /// Takes a member of any type; `nil` if it is absent.
  package mutating func any(_ key: String) -> JSONValue? {
    members.take(key)
  }

  /// Takes a member; `nil` if it is absent or `null`.
  mutating func value(_ key: String) -> JSONValue? {
    guard let value = any(key), value != .null else { return nil }
    return value
  }

  /// Takes a member; `nil` if it is absent or `null`.
  package mutating func callAsFunction<Part: JSONPart>(
    _ key: String, as type: Part.Type = Part.self
  ) throws(JSONError) -> Part? {
    guard let value = value(key) else { return nil }
    do { return try Part(json: value, at: "") } catch { throw error.inside(key).inside(pointer: pointer) }
  }

  package mutating func required<Part: JSONPart>(
    _ key: String, as type: Part.Type = Part.self
  ) throws(JSONError) -> Part {
    guard let part: Part = try self(key) else { throw error("is missing", at: key) }
    return part
  }

  package mutating func string(_ key: String) throws(JSONError) -> String? { try self(key) }
  mutating func bool(_ key: String) throws(JSONError) -> Bool? { try self(key) }
  package mutating func count(_ key: String) throws(JSONError) -> Int? { try self(key) }

  private mutating func member<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JSONError) -> Value? {
    guard let value = value(key) else { return nil }
    guard let member = read(value) else { throw error("must be \(expected), not \(value.typeName)", at: key) }
    return member
  }

  mutating func number(_ key: String) throws(JSONError) -> JSONValue.Number? { try member(key, "a number") { $0.number } }
  mutating func array(_ key: String) throws(JSONError) -> [JSONValue]? { try member(key, "an array") { $0.array } }

  mutating func integer(_ key: String) throws(JSONError) -> Int {
    let range = -JSONValue.largestInteger...JSONValue.largestInteger
    guard let number = try number(key)?.integer, range.contains(number) else {
      throw error("must be a whole number within \(JSONValue.largestInteger)", at: key)
    }
    return number
  }

  typealias Decode<Value> = (JSONValue, String) throws(JSONError) -> Value

  mutating func object<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value? {
    guard let value = value(key) else { return nil }
    return try decode(value, pointer(to: key))
  }

  mutating func requiredObject<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value {
    guard let value = try object(key, decode) else { throw error("is missing", at: key) }
    return value
  }

  mutating func objects<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> [Value] {
    var values: [Value] = []
    for (index, value) in try (array(key) ?? []).enumerated() {
      values.append(try decode(value, pointer(to: key) + "/\(index)"))
    }
    return values
  }

  /// The name of a member that was not taken.
  var untaken: String? { members.untaken }

  package func finish() throws(JSONError) {
    if let untaken, !UnknownMembers.areIgnored { throw error("is not a known field", at: untaken.shortened) }
  }
}

extension Duration {
  /// Converts seconds; `nil` unless greater than 0 and at most ten years.
  package init?(jsonSeconds number: JSONValue.Number) {
    let seconds = number.double
    guard seconds > 0, seconds <= 315_360_000 else { return nil }
    self = .milliseconds(Int64(max(1, (seconds * 1000).rounded())))
  }
}
