/// Checks the syntax of a URI, by RFC 3986, section 3: a scheme, a colon, and the parts that follow.
///
/// The text between the brackets of an IP literal is checked for its characters only.
struct URIParser {
  private var rest: Substring.UTF8View

  /// Whether a text is a URI. A reference without a scheme is not.
  static func accepts(_ text: String) -> Bool {
    var parser = URIParser(rest: text[...].utf8)
    return parser.accepts()
  }

  private mutating func accepts() -> Bool {
    guard let scheme = take(upTo: ":"), rest.popFirst() != nil, Self.isScheme(scheme) else { return false }
    if rest.starts(with: "//".utf8) {
      rest.removeFirst(2)
      guard Self.isAuthority(take(while: { !"/?#".utf8.contains($0) })) else { return false }
    }
    let path = take(while: { !"?#".utf8.contains($0) })
    guard Self.consists(path, of: "/:@") else { return false }
    if rest.first == UInt8(ascii: "?") {
      rest.removeFirst()
      guard Self.consists(take(while: { $0 != UInt8(ascii: "#") }), of: "/:@?") else { return false }
    }
    guard rest.popFirst() != nil else { return true }
    return Self.consists(rest, of: "/:@?")
  }

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    text.first?.isASCIILetter == true && text.allSatisfy { $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) }
  }

  /// Whether a text is `[ userinfo "@" ] host [ ":" port ]`.
  private static func isAuthority(_ text: Substring.UTF8View) -> Bool {
    var host = text
    if let at = host.firstIndex(of: UInt8(ascii: "@")) {
      guard consists(host[..<at], of: ":") else { return false }
      host = host[host.index(after: at)...]
    }
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let literal = host[..<end].dropFirst()
      guard !literal.isEmpty, !literal.contains(UInt8(ascii: "%")), consists(literal, of: ":") else { return false }
      let port = host[host.index(after: end)...]
      return port.isEmpty || (port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isASCIIDigit))
    }
    guard let colon = host.firstIndex(of: UInt8(ascii: ":")) else { return consists(host, of: "") }
    return consists(host[..<colon], of: "") && host[colon...].dropFirst().allSatisfy(\.isASCIIDigit)
  }

  /// Whether a text consists of unreserved characters, sub-delimiters, percent-encoded bytes and the characters given.
  private static func consists(_ text: Substring.UTF8View, of others: StaticString) -> Bool {
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
      if byte == UInt8(ascii: "%") {
        guard bytes.next()?.isASCIIHexDigit == true, bytes.next()?.isASCIIHexDigit == true else { return false }
      } else if !byte.isASCIIAlphanumeric, !"-._~!$&'()*+,;=".utf8.contains(byte) {
        guard others.withUTF8Buffer({ $0.contains(byte) }) else { return false }
      }
    }
    return true
  }

  /// Takes what stands before a character; `nil` where it does not come.
  private mutating func take(upTo character: Unicode.Scalar) -> Substring.UTF8View? {
    let part = take(while: { $0 != UInt8(ascii: character) })
    return rest.isEmpty ? nil : part
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> Substring.UTF8View {
    let part = rest.prefix(while: condition)
    rest = rest[part.endIndex...]
    return part
  }
}
