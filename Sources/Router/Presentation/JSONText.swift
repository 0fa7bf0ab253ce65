import OrderedCollections

/// The text of JSON, without white space, members in their order.
///
/// What is sent or recorded is written as text at once; a ``JSONValue`` is for what is looked at.
public struct JSONText: Sendable, Hashable, CustomStringConvertible {
  /// The text as UTF-8.
  public let bytes: [UInt8]

  public var description: String { String(decoding: bytes, as: UTF8.self) }

  public init(_ value: JSONValue) {
    bytes = value.bytes
  }

  init(_ object: some JSONObject) {
    self.init { members in object.addMembers(to: &members) }
  }

  /// The same in no more memory than it takes, to be kept.
  var compact: JSONText { JSONText(bytes: Array(bytes[...])) }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Writes an object.
  init(_ addMembers: (inout TextMembers) -> Void) {
    var members = TextMembers()
    members.addObject(addMembers)
    bytes = members.bytes
  }
}

/// What is an object in JSON. It says once what its members are, for its value and for its text.
protocol JSONObject {
  func addMembers(to members: inout some JSONMembers)
}

extension JSONObject {
  var json: JSONValue { JSONValue(self) }
  var jsonText: JSONText { JSONText(self) }
}

/// Where an object's members go, in order.
protocol JSONMembers {
  /// Adds a member whose name needs no escape.
  mutating func add(_ name: StaticString, _ value: JSONValue)
  mutating func add(_ name: StaticString, _ object: some JSONObject)
  mutating func add(_ name: StaticString, _ objects: [some JSONObject])
  /// Adds what is at hand in both forms.
  mutating func add(_ name: StaticString, _ value: @autoclosure () -> JSONValue, text: @autoclosure () -> JSONText)
}

extension JSONMembers {
  /// Adds a string, unless there is none.
  mutating func add(_ name: StaticString, ifPresent text: String?) {
    if let text { add(name, .string(text)) }
  }

  /// Adds an object, or `null` for `nil`.
  mutating func add(_ name: StaticString, optional object: (some JSONObject)?) {
    if let object { add(name, object) } else { add(name, .null) }
  }
}

/// Writes an object's members down.
struct TextMembers: JSONMembers {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  init() {
    // Most of what is written has some hundred bytes.
    bytes.reserveCapacity(480)
  }

  mutating func add(_ name: StaticString, _ value: JSONValue) {
    addName(name)
    value.write(to: &bytes)
  }

  mutating func add(_ name: StaticString, _ object: some JSONObject) {
    addName(name)
    addObject { object.addMembers(to: &$0) }
  }

  mutating func add(_ name: StaticString, _ objects: [some JSONObject]) {
    addName(name)
    bytes.append(UInt8(ascii: "["))
    for (index, object) in objects.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      addObject { object.addMembers(to: &$0) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func add(_ name: StaticString, _ value: @autoclosure () -> JSONValue, text: @autoclosure () -> JSONText) {
    addName(name)
    bytes.append(contentsOf: text().bytes)
  }

  mutating func addObject(_ addMembers: (inout TextMembers) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    addMembers(&self)
    isFirst = false
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func addName(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: "\":".utf8)
  }
}

extension JSONValue {
  init(_ object: some JSONObject) {
    var members = ValueMembers()
    object.addMembers(to: &members)
    self = .object(members.members)
  }

  /// Keeps an object's members.
  private struct ValueMembers: JSONMembers {
    var members: OrderedDictionary<String, JSONValue> = [:]

    mutating func add(_ name: StaticString, _ value: JSONValue) {
      members[name.description] = value
    }

    mutating func add(_ name: StaticString, _ object: some JSONObject) {
      add(name, JSONValue(object))
    }

    mutating func add(_ name: StaticString, _ objects: [some JSONObject]) {
      add(name, .array(objects.map(\.json)))
    }

    mutating func add(_ name: StaticString, _ value: @autoclosure () -> JSONValue, text: @autoclosure () -> JSONText) {
      add(name, value())
    }
  }
}
