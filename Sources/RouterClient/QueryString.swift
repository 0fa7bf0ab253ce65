/// Percent-encoded queries (RFC 3986, section 2.1).
enum QueryString {
  /// Adds a query to a path, omitting parameters that are `nil`.
  static func path(_ path: String, _ query: KeyValuePairs<String, String?>) -> String {
    let parameters = query.compactMap { name, value in value.map { "\(escape(name))=\(escape($0))" } }
    return parameters.isEmpty ? path : path + "?" + parameters.joined(separator: "&")
  }

  /// Percent-encodes all but the unreserved characters of RFC 3986.
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
