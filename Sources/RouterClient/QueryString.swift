/// A path with a query, percent-encoded as RFC 3986, section 2.1 has it.
struct QueryString {
  private(set) var text: String

  init(path: String) {
    text = path
  }

  /// Adds `name=value`; nothing for `nil`.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    text += text.contains("?") ? "&" : "?"
    text += Self.escape(name) + "=" + Self.escape(value)
  }

  /// Everything but RFC 3986's unreserved characters as `%XX`.
  private static func escape(_ text: String) -> String {
    var output = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        output.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        output += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return output
  }
}
