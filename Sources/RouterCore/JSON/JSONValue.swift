public import OrderedCollections

/// A JSON value. Preserves the order of an object's members, which is the order of a form, and the digits of a number. Objects
/// are equal regardless of order; strings and names are equal if their UTF-8 is.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([JSONValue])
  case object(OrderedDictionary<String, JSONValue>)

  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.isSame(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { name, value in right[exactly: name] == value }
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(Dictionary(uniqueKeysWithValues: members.map { ($0, $1) }))
    }
  }
}

extension JSONValue {
  /// The largest integer that all JSON parsers represent exactly (RFC 8259, section 6). Sums of a few such integers cannot
  /// overflow.
  package static let largestInteger = 1 << 53

  /// A JSON number as it was written.
  public struct Number: Sendable, Hashable {
    /// The literal, valid by RFC 8259, section 6.
    public let literal: String

    package init(literal: String) { self.literal = literal }

    public init(_ value: Int) {
      literal = String(value)
    }

    /// Creates a number from a double.
    ///
    /// - Returns: `nil` for infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      if let whole = Int(exactly: value) {
        literal = String(whole)
      } else {
        literal = String(value)
      }
    }

    /// The number as an integer, if it is whole and fits: `3`, `3.0` and `3e0` are all 3.
    public var integer: Int? { Int(literal) ?? integerByDigits }

    /// Converts the digits to an integer, since a double would round `10.0000000000000001` to a whole number.
    private var integerByDigits: Int? {
      let parts = literal.split { $0 == "e" || $0 == "E" }
      guard let mantissa = parts.first?.split(at: ".") else { return nil }
      var digits = mantissa.joined()
      let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
      digits.removeLast(zeros)
      if digits.isEmpty || digits == "-" { return 0 }
      guard let exponent = parts.count == 2 ? Int(parts[1]) : 0, (-1 << 40...1 << 40).contains(exponent) else { return nil }
      let scale = exponent + zeros - (mantissa.count == 2 ? mantissa[1].utf8.count : 0)
      guard (0...18).contains(scale) else { return nil }
      return Int(digits + String(repeating: "0", count: scale))
    }

    /// The nearest double; infinite if the literal is beyond its range.
    public var double: Double { Double(literal) ?? .infinity }

    /// Whether the number is less than another. Exact if both are integers that fit; otherwise compares the nearest doubles.
    func isLess(than other: Number) -> Bool {
      if let integer, let other = other.integer { return integer < other }
      return double < other.double
    }

    /// The numeric value: 1, 1.0 and 1e0 have the same identity.
    enum Identity: Hashable {
      /// An exact integer.
      case whole(Int)
      /// The nearest double of any other number.
      case other(Double)
    }

    var identity: Identity {
      if let integer { return .whole(integer) }
      let double = double
      return Int(exactly: double).map(Identity.whole) ?? .other(double)
    }

    /// Whether both are the same number, such as 1 and 1.0.
    func isSame(as other: Number) -> Bool {
      // Equal numbers have the same nearest double, which is faster to find.
      literal == other.literal || (double == other.double && identity == other.identity)
    }
  }
}

extension JSONValue {
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  public var number: JSONValue.Number? {
    if case .number(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members in order, if this is an object.
  public var object: OrderedDictionary<String, JSONValue>? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member with the name; `nil` if it is absent or this is not an object.
  public subscript(key: String) -> JSONValue? { object?[exactly: key] }

  /// Whether arrays and objects are nested more than `levels` deep. Stops at that depth.
  func isDeeper(than levels: Int) -> Bool {
    switch self {
    case .null, .bool, .number, .string: false
    case .array(let elements): levels == 0 || elements.contains { $0.isDeeper(than: levels - 1) }
    case .object(let members): levels == 0 || members.values.contains { $0.isDeeper(than: levels - 1) }
    }
  }

  /// The type, as used in error messages.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  public static func integer(_ value: Int) -> JSONValue { .number(JSONValue.Number(value)) }

  /// A string, or `null` for `nil`.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// A duration in seconds, in milliseconds precision.
  package static func seconds(_ duration: Duration) -> JSONValue {
    .number(Number(Double(duration.milliseconds) / 1000) ?? Number(0))
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(OrderedDictionary(uniqueKeysWithValues: elements))
  }
  public init(nilLiteral: ()) { self = .null }
}
