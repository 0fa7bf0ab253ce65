import FoundationEssentials
import OrderedCollections

extension JSONValue: Codable {
  /// Decodes any JSON. Decoders lose the order of members and the digits of numbers; ``decode(_:)`` and
  /// ``init(encoding:)`` keep both.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self), let number = Number(value) {
      self = .number(number)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(OrderedDictionary(uniqueKeysWithValues: members.sorted { $0.key < $1.key }))
    }
  }

  /// Encodes the JSON value; throws `EncodingError` for a number beyond the range of `Double`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Member.self)
      for (name, value) in members { try container.encode(value, forKey: Member(stringValue: name)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null, .bool, .number, .string:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .string(let text): try container.encode(text)
      case .number(let number):
        if let whole = number.integer { try container.encode(whole) } else { try container.encode(number.double) }
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  private struct Member: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    package init(stringValue: String) { self.stringValue = stringValue }

    package init?(intValue: Int) {
      nil
    }
  }
}

extension JSONValue {
  /// Encodes a `Codable` value, with members sorted by name. A ``JSONValue`` stays unchanged.
  ///
  /// - Throws: Any error of the value's `encode(to:)`; `EncodingError` for a number that JSON cannot represent.
  public init(encoding value: some Encodable) throws {
    if let json = value as? JSONValue {
      self = json
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try self.init(parsing: try encoder.encode(value))
  }

  /// Decodes a `Codable` value. A ``JSONValue`` stays unchanged. Throws `DecodingError`.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    if type == JSONValue.self, let json = self as? Value { return json }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }
}
