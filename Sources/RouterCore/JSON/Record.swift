import OrderedCollections

/// A value that is an object on the wire. Its initializer names each member once. ``Fields`` takes the members from JSON to read the
/// value, or from another value to write it.
///
/// The order of the members is that on the wire. To write a value is to make it again, so every member must be taken for every
/// value, and only the calls of ``Fields`` may throw.
package protocol Record: JSONObject, JSONPart {
  init(_ f: inout Fields<Self>) throws(JSONError)
  /// Whether members that newer versions may have are ignored.
  static var ignoresUnknown: Bool { get }
}

extension Record {
  package static var ignoresUnknown: Bool { false }

  package init(json: JSONValue, at pointer: String = "") throws(JSONError) {
    do { try self.init(reading: json, ignoringUnknown: Self.ignoresUnknown) } catch { throw error.inside(pointer: pointer) }
  }

  /// Reads a value from JSON that may have no other members.
  package init(exactly json: JSONValue) throws(JSONError) { try self.init(reading: json, ignoringUnknown: false) }

  private init(reading json: JSONValue, ignoringUnknown: Bool) throws(JSONError) {
    var fields = Fields<Self>(members: try Members(json))
    try self.init(&fields)
    if !ignoringUnknown, let untaken = fields.members?.untaken {
      throw JSONError("is not a known field").inside(untaken.shortened)
    }
  }

  package func addMembers(to writer: inout JSONWriter) {
    var fields = Fields(value: self)
    swap(&fields.writer, &writer)
    // Each member comes from the value, so nothing is thrown.
    _ = try? Self(&fields)
    swap(&fields.writer, &writer)
  }
}

/// The members of a record, taken one by one from JSON, or from a value that is written.
package struct Fields<Value> {
  fileprivate var value: Value?
  fileprivate var writer = JSONWriter(bytes: [])
  private(set) var members: Members?

  fileprivate init(value: Value) { self.value = value }

  init(members: Members) { self.members = members }

  // A function and not a key path, which the compiler replaces by direct access. Inlined, or else writing takes twice as long.

  /// Takes a required member.
  ///
  /// - Parameter advice: What to give, for the error if it is missing.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    _ name: StaticString, _ get: (Value) -> Part, advice: StaticString = ""
  ) throws(JSONError) -> Part {
    if let value { return writer.adding(name, get(value)) }
    return try required(name, advice)
  }

  /// Takes a member that is absent for `nil`.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    _ name: StaticString, _ get: (Value) -> Part?
  ) throws(JSONError) -> Part? {
    if let value { return writer.adding(name, ifPresent: get(value)) }
    return try take(name)
  }

  /// Takes a member that is absent if it has its default.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart & Equatable>(
    _ name: StaticString, default standard: Part, _ get: (Value) -> Part
  ) throws(JSONError) -> Part {
    if let value {
      let part = get(value)
      return part == standard ? part : writer.adding(name, part)
    }
    return try take(name) ?? standard
  }

  /// Takes a member that is always written, and has a default where it is absent, as in older versions.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    _ name: StaticString, ifAbsent standard: Part, _ get: (Value) -> Part
  ) throws(JSONError) -> Part {
    if let value { return writer.adding(name, get(value)) }
    return try take(name) ?? standard
  }

  /// Takes a member that is written as `null` for `nil`.
  @inline(__always)
  package mutating func callAsFunction<Part: JSONPart>(
    orNull name: StaticString, _ get: (Value) -> Part?
  ) throws(JSONError) -> Part? {
    if let value {
      guard let part = get(value) else {
        writer.add(name, .null)
        return nil
      }
      return writer.adding(name, part)
    }
    return try take(name)
  }

  /// Takes the members of another record, which are in the same object.
  @inline(__always)
  package mutating func inline<Part: Record>(_ get: (Value) -> Part) throws(JSONError) -> Part {
    if let value {
      let part = get(value)
      part.addMembers(to: &writer)
      return part
    }
    return try inlined()
  }

  private mutating func inlined<Part: Record>() throws(JSONError) -> Part {
    guard let own = members else { preconditionFailure("nothing is read or written") }
    var part = Fields<Part>(members: own)
    defer { members = part.members }
    return try Part(&part)
  }

  /// Checks a condition between members that are read.
  package func check(_ condition: @autoclosure () -> Bool, _ message: String, at name: String) throws(JSONError) {
    if members != nil, !condition() { throw JSONError(message).inside(name) }
  }

  private mutating func required<Part: JSONPart>(_ name: StaticString, _ advice: StaticString) throws(JSONError) -> Part {
    guard let part: Part = try take(name) else {
      throw JSONError("is missing\(advice.utf8CodeUnitCount == 0 ? "" : ": ")\(advice)").inside(name.description)
    }
    return part
  }

  private mutating func take<Part: JSONPart>(_ name: StaticString) throws(JSONError) -> Part? {
    let name = name.description
    guard let json = members?.take(name), json != .null else { return nil }
    do { return try Part(json: json, at: "") } catch { throw error.inside(name) }
  }
}

/// The members of an object while they are taken one by one.
struct Members {
  private let members: OrderedDictionary<String, JSONValue>
  /// A bit for each member. No record has more than 64.
  private var taken: UInt64 = 0
  private var next = 0

  init(_ json: JSONValue) throws(JSONError) { members = try json.members() }

  /// Takes a member; `nil` if it is absent or taken. Most come in the order in which they are taken.
  mutating func take(_ name: String) -> JSONValue? {
    let isNext = next < members.count && members.elements[next].key.isSame(as: name)
    guard let index = isNext ? next : members.index(forKey: name), members.elements[index].key.isSame(as: name),
      !isTaken(index)
    else { return nil }
    next = index + 1
    if index < 64 { taken |= 1 << UInt64(index) }
    return members.elements[index].value
  }

  private func isTaken(_ index: Int) -> Bool { index < 64 && taken & 1 << UInt64(index) != 0 }

  /// The name of a member that was not taken.
  var untaken: String? {
    members.elements.indices.first { !isTaken($0) }.map { members.elements[$0].key }
  }
}

extension JSONWriter {
  /// Adds a member and returns its value.
  fileprivate mutating func adding<Part: JSONPart>(_ name: StaticString, _ part: Part) -> Part {
    add(name, part: part)
    return part
  }

  fileprivate mutating func adding<Part: JSONPart>(_ name: StaticString, ifPresent part: Part?) -> Part? {
    if let part { add(name, part: part) }
    return part
  }
}
