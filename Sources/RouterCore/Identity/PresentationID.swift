public import FoundationEssentials

/// The id of a presentation: a UUIDv7 (RFC 9562, section 5.7) in lowercase. The ids of a coordinator increase in order
/// of request.
public struct PresentationID: Sendable, Hashable, Comparable {
  public let uuid: UUID

  public init(uuid: UUID) { self.uuid = uuid }

  public static func < (left: PresentationID, right: PresentationID) -> Bool {
    left.uuid < right.uuid
  }
}

extension PresentationID: LosslessStringConvertible {
  /// Parses the 36-character form of RFC 9562; returns `nil` for anything else.
  public init?(_ description: String) {
    // Foundation parses with `sscanf`, which is slow for the many ids of the log.
    var text = description
    let uuid: UUID? = text.withUTF8 { characters in
      guard characters.count == 36 else { return nil }
      var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      let isRead = withUnsafeMutableBytes(of: &bytes) { bytes in
        var next = 0
        for index in bytes.indices {
          if Self.isGroup(index) {
            guard characters[next] == UInt8(ascii: "-") else { return false }
            next += 1
          }
          guard let high = characters[next].hexDigitValue, let low = characters[next + 1].hexDigitValue else { return false }
          bytes[index] = high << 4 | low
          next += 2
        }
        return true
      }
      return isRead ? UUID(uuid: bytes) : nil
    }
    guard let uuid else { return nil }
    self.uuid = uuid
  }

  public var description: String {
    withUnsafeBytes(of: uuid.uuid) { bytes in
      String(unsafeUninitializedCapacity: 36) { characters in
        var next = 0
        for index in bytes.indices {
          if Self.isGroup(index) {
            characters[next] = UInt8(ascii: "-")
            next += 1
          }
          (characters[next], characters[next + 1]) = bytes[index].hexDigits
          next += 2
        }
        return next
      }
    }
  }

  private static func isGroup(_ byte: Int) -> Bool { byte == 4 || byte == 6 || byte == 8 || byte == 10 }
}

extension PresentationID: Codable {
  public init(from decoder: any Decoder) throws { self = try decoder.decodeDescription(of: "a UUID") }
  public func encode(to encoder: any Encoder) throws { try encoder.encodeDescription(of: self) }
}
