import OrderedCollections

/// Takes the members of an object one by one, by name and type, and reports the remaining ones.
package struct JSONObjectReader {
  private let members: OrderedDictionary<String, JSONValue>
  private var isTaken: [Bool]
  private let pointer: String

  package init(_ value: JSONValue, at pointer: String = "") throws(JSONError) {
    guard let members = value.object else {
      throw JSONError("must be an object, not \(value.typeName)", at: pointer)
    }
    self.members = members
    isTaken = [Bool](repeating: false, count: members.count)
    self.pointer = pointer
  }

  func pointer(to key: String) -> String { pointer + "/" + JSONPointer.escape(key) }

  package func error(_ message: String, at key: String) -> JSONError { JSONError(message, at: pointer(to: key)) }

  /// Takes a member of any type; `nil` if it is absent.
  package mutating func any(_ key: String) -> JSONValue? {
    guard let index = members.index(forKey: key), !isTaken[index], members.keys[index].isSame(as: key) else { return nil }
    isTaken[index] = true
    return members.elements[index].value
  }

  /// Takes a member; `nil` if it is absent or `null`.
  mutating func value(_ key: String) -> JSONValue? {
    guard let value = any(key), value != .null else { return nil }
    return value
  }

  private mutating func member<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JSONError) -> Value? {
    guard let value = value(key) else { return nil }
    guard let member = read(value) else { throw error("must be \(expected), not \(value.typeName)", at: key) }
    return member
  }

  package mutating func string(_ key: String) throws(JSONError) -> String? { try member(key, "a string") { $0.string } }
  mutating func bool(_ key: String) throws(JSONError) -> Bool? { try member(key, "true or false") { $0.bool } }
  mutating func number(_ key: String) throws(JSONError) -> JSONValue.Number? { try member(key, "a number") { $0.number } }
  mutating func array(_ key: String) throws(JSONError) -> [JSONValue]? { try member(key, "an array") { $0.array } }

  /// The largest integer that all JSON parsers represent exactly (RFC 8259, section 6). Small sums cannot overflow.
  package static let largestInteger = 1 << 53

  package mutating func count(_ key: String) throws(JSONError) -> Int? {
    guard let number = try number(key) else { return nil }
    guard let count = number.integer, count >= 0 else { throw error("must be a whole number, 0 or more", at: key) }
    guard count <= Self.largestInteger else { throw error("must be at most \(Self.largestInteger)", at: key) }
    return count
  }

  /// Takes a duration in seconds, more than zero and at most ten years.
  mutating func duration(_ key: String) throws(JSONError) -> Duration? {
    guard let number = try number(key) else { return nil }
    guard let duration = Duration(jsonSeconds: number) else {
      throw error("must be more than 0 and at most 315360000 seconds", at: key)
    }
    return duration
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(JSONError) -> Choice? {
    guard let text = try string(key) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("must be one of \(known), not \"\(text.shortened)\"", at: key)
    }
    return choice
  }

  package mutating func timestamp(_ key: String) throws(JSONError) -> Timestamp? {
    guard let text = try string(key) else { return nil }
    guard let timestamp = Timestamp(text) else { throw error("must be an RFC 3339 time", at: key) }
    return timestamp
  }

  /// Takes a duration in seconds, zero or more, in milliseconds precision.
  mutating func seconds(_ key: String) throws(JSONError) -> Duration? {
    guard let number = try number(key) else { return nil }
    guard number.double >= 0, number.double < 1e12 else { throw error("must be a length of time in seconds", at: key) }
    return .milliseconds(Int64((number.double * 1000).rounded()))
  }

  typealias Decode<Value> = (JSONValue, String) throws(JSONError) -> Value

  mutating func object<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value? {
    guard let value = value(key) else { return nil }
    return try decode(value, pointer(to: key))
  }

  mutating func objects<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> [Value] {
    var values: [Value] = []
    for (index, value) in try (array(key) ?? []).enumerated() {
      values.append(try decode(value, pointer(to: key) + "/\(index)"))
    }
    return values
  }

  mutating func texts(_ key: String) throws(JSONError) -> OrderedDictionary<String, String>? {
    guard let members = try member(key, "an object", { $0.object }) else { return nil }
    var texts: OrderedDictionary<String, String> = [:]
    for (name, member) in members {
      guard let text = member.string else {
        let place = pointer(to: key) + "/" + JSONPointer.escape(name.shortened)
        throw JSONError("must be a string, not \(member.typeName)", at: place)
      }
      texts[name] = text
    }
    return texts
  }

  mutating func strings(_ key: String) throws(JSONError) -> [String]? {
    guard let elements = try array(key) else { return nil }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard let text = element.string else {
        throw JSONError("must be a string, not \(element.typeName)", at: pointer(to: key) + "/\(index)")
      }
      texts.append(text)
    }
    return texts
  }

  // MARK: Required members

  private func required<Value>(_ value: Value?, _ key: String) throws(JSONError) -> Value {
    guard let value else { throw error("is missing", at: key) }
    return value
  }

  mutating func requiredString(_ key: String) throws(JSONError) -> String { try required(string(key), key) }
  mutating func requiredBool(_ key: String) throws(JSONError) -> Bool { try required(bool(key), key) }
  mutating func requiredCount(_ key: String) throws(JSONError) -> Int { try required(count(key), key) }
  package mutating func time(_ key: String) throws(JSONError) -> Timestamp { try required(timestamp(key), key) }

  mutating func requiredTexts(_ key: String) throws(JSONError) -> OrderedDictionary<String, String> {
    try required(texts(key), key)
  }

  mutating func requiredObject<Value>(_ key: String, _ decode: Decode<Value>) throws(JSONError) -> Value {
    try required(object(key, decode), key)
  }

  mutating func requiredChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(JSONError) -> Choice {
    try required(choice(key, of: type), key)
  }

  mutating func integer(_ key: String) throws(JSONError) -> Int {
    let range = -Self.largestInteger...Self.largestInteger
    guard let number = try number(key)?.integer, range.contains(number) else {
      throw error("must be a whole number within \(Self.largestInteger)", at: key)
    }
    return number
  }

  mutating func uid(_ key: String) throws(JSONError) -> UInt32 {
    guard let uid = UInt32(exactly: try requiredCount(key)) else { throw error("must be a user's number", at: key) }
    return uid
  }

  mutating func presentationID(_ key: String) throws(JSONError) -> PresentationID {
    try required(presentationID(ifPresent: key), key)
  }

  mutating func presentationID(ifPresent key: String) throws(JSONError) -> PresentationID? {
    guard let text = try string(key) else { return nil }
    guard let id = PresentationID(text) else { throw error("must be a UUID", at: key) }
    return id
  }

  /// The name of a member that was not taken.
  var untaken: String? { isTaken.firstIndex(of: false).map { members.elements[$0].key } }

  package func finish() throws(JSONError) {
    if let untaken { throw error("is not a known field", at: untaken.shortened) }
  }
}

extension Duration {
  /// Converts seconds; returns `nil` unless more than 0 and at most ten years.
  package init?(jsonSeconds number: JSONValue.Number) {
    let seconds = number.double
    guard seconds > 0, seconds <= 315_360_000 else { return nil }
    self = .milliseconds(Int64(max(1, (seconds * 1000).rounded())))
  }
}
