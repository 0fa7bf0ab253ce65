public import FoundationEssentials

/// The name of one presentation: a UUIDv7 (RFC 9562, section 5.7), written in lower case.
///
/// Ids made by one ``PresentationIDGenerator`` rise, so that sorting them sorts by the time of asking.
public struct PresentationID: Sendable, Hashable, Comparable {
  /// The sixteen bytes.
  public let uuid: UUID

  /// Wraps an id that came from somewhere else.
  public init(uuid: UUID) {
    self.uuid = uuid
  }

  public static func < (left: PresentationID, right: PresentationID) -> Bool {
    left.uuid < right.uuid
  }
}

extension PresentationID: LosslessStringConvertible {
  /// Reads the 36-character form of RFC 9562; `nil` for anything else.
  public init?(_ description: String) {
    guard description.utf8.count == 36, let uuid = UUID(uuidString: description) else { return nil }
    self.uuid = uuid
  }

  public var description: String { uuid.uuidString.lowercased() }
}

extension PresentationID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = PresentationID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID: \(text)")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
