/// Encodes values that contain JSON as a single string: a keyed container would lose the order of members and the
/// digits of numbers.
extension Decoder {
  func decodeDescription<Value: LosslessStringConvertible>(of what: String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not \(what): \(text)")
    }
    return value
  }

  func decodeJSONText<Value>(_ make: JSONObjectReader.Decode<Value>) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try make(JSONValue(parsing: text, maximumDepth: JSONValue.maximumWrappedDepth), "")
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }
}

extension Encoder {
  func encodeDescription(of value: some CustomStringConvertible) throws {
    var container = singleValueContainer()
    try container.encode(value.description)
  }
}

extension FormSchema: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.decodeJSONText(FormSchema.init(json:at:)) }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: json) }
}

extension PresentationRequest: Codable {
  /// Decodes a previously accepted request; it is checked again when it is sent.
  public init(from decoder: any Decoder) throws { self = try decoder.decodeJSONText(PresentationRequest.init(accepted:at:)) }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: jsonText) }
}

extension Presentation: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.decodeJSONText(Presentation.init(json:at:)) }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: jsonText) }
}

extension PresentationOutcome: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.decodeJSONText(PresentationOutcome.init(json:at:)) }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: jsonText) }
}
