import FoundationEssentials

extension JSONValue: CustomStringConvertible {
  /// The JSON text, without white space, members in their order.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The JSON text as UTF-8.
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    // Most of what is written has some hundred bytes.
    output.reserveCapacity(512)
    write(to: &output)
    return output
  }

  /// Appends the JSON text.
  func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.literal.utf8)
    case .string(let text): Self.write(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Writes text in quotes: what needs no escape in one piece, and most does not.
  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for (index, byte) in bytes.enumerated() where byte.needsEscape {
        output.append(contentsOf: bytes[start..<index])
        writeEscaped(byte, to: &output)
        start = index + 1
      }
      output.append(contentsOf: bytes[start...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): output.append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): output.append(contentsOf: #"\\"#.utf8)
    case 0x0A: output.append(contentsOf: #"\n"#.utf8)
    case 0x0D: output.append(contentsOf: #"\r"#.utf8)
    case 0x09: output.append(contentsOf: #"\t"#.utf8)
    default:
      let (high, low) = byte.hexDigits
      output.append(contentsOf: "\\u00".utf8)
      output.append(high)
      output.append(low)
    }
  }
}

extension UInt8 {
  /// Whether it stands escaped in JSON text: what must (RFC 8259, section 7), and delete, which some terminals act on.
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == 0x7F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension JSONValue {
  /// What `Codable` makes of a value. Members come in the order of their names; JSON itself stays as it is.
  ///
  /// - Throws: What the value's `encode(to:)` throws; `EncodingError` for a number that JSON does not have.
  public init(encoding value: some Encodable) throws {
    if let json = value as? JSONValue {
      self = json
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try self.init(parsing: try encoder.encode(value))
  }

  /// A `Codable` value made of this; JSON itself stays as it is.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    if type == JSONValue.self, let json = self as? Value { return json }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }
}
