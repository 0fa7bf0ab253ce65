import FoundationEssentials

extension FormSchema.Property {
  /// The syntax of a text field, in addition to its length and pattern.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A secret: any text, hidden while it is typed and never stored.
    case password
    /// An RFC 5321 `Mailbox` (section 4.1.2) without quoted local parts and address literals.
    case email
    /// A URI with a scheme (RFC 3986, section 3).
    case uri
    /// A `full-date` of RFC 3339, section 5.6: `2026-11-23`.
    case date
    /// A `date-time` of RFC 3339, section 5.6: `2026-11-23T14:30:00Z`. A leap second must end a UTC day.
    case dateTime = "date-time"

    /// Returns whether a text has this format.
    public func matches(_ text: String) -> Bool {
      switch self {
      case .password: true
      case .email: Self.isEmailAddress(text)
      case .uri: Self.isURI(text)
      case .date: Timestamp("\(text)T00:00:00Z") != nil
      case .dateTime: Self.isDateTime(text)
      }
    }

    var expectation: String {
      switch self {
      case .password: "text"
      case .email: "an email address"
      case .uri: "a URI, such as https://example.com"
      case .date: "a date, such as 2026-11-23"
      case .dateTime: "a date and time with its time zone, such as 2026-11-23T14:30:00Z"
      }
    }
  }
}

extension FormSchema.Property.Format {
  private static func isDateTime(_ text: String) -> Bool {
    guard let time = Timestamp(text) else { return false }
    let isLeapSecond = text.utf8.dropFirst(17).prefix(2).elementsEqual("60".utf8)
    // A leap second parses as the first second of the next minute, which must start a day.
    return !isLeapSecond || (0..<1000).contains(time.milliseconds % 86_400_000)
  }

  /// Uses Foundation's strict parser, which also accepts an empty scheme and empty brackets.
  private static func isURI(_ text: String) -> Bool {
    guard let scheme = URL(string: text, encodingInvalidCharacters: false)?.scheme else { return false }
    return !scheme.isEmpty && !text.contains("[]")
  }

  private static func isEmailAddress(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (bytes[..<at], bytes[bytes.index(after: at)...])
    guard local.count <= 64, domain.count <= 253 else { return false }
    let dot = UInt8(ascii: ".")
    return local.split(separator: dot, omittingEmptySubsequences: false).allSatisfy(isAtom)
      && domain.split(separator: dot, omittingEmptySubsequences: false).allSatisfy(isDomainLabel)
  }

  private static func isAtom(_ part: Substring.UTF8View) -> Bool {
    !part.isEmpty && part.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
  }

  private static func isDomainLabel(_ part: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(part.count) && part.first != hyphen && part.last != hyphen
      && part.allSatisfy { $0.isASCIIAlphanumeric || $0 == hyphen }
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
