/// A connection string or URI of libpq (PostgreSQL, section 34.1.1) without secrets, for display.
package struct ConnectionString: Sendable, Hashable {
  package private(set) var withoutSecrets = ""

  /// The placeholder for an unreadable text, any part of which could be a password.
  package static let unreadable = "(hidden: not a connection string or URI)"

  /// Returns whether a keyword names a secret. Recognizes misspelled keywords.
  private static func isSecret(_ keyword: String) -> Bool {
    let keyword = keyword.lowercased()
    return ["password", "passwd", "pwd", "secret", "scram_client_key", "scram_server_key"].contains { keyword.contains($0) }
  }

  /// Parses a text like libpq; `nil` if it is invalid.
  package init?(_ text: String) {
    let isRead =
      if text.begins(with: "postgresql://") || text.begins(with: "postgres://") {
        readURI(text)
      } else if text.utf8.contains(UInt8(ascii: "=")) {
        readPairs(text)
      } else {
        readName(text)
      }
    guard isRead else { return nil }
  }

  /// Returns a connection string for display; a placeholder if it is unreadable.
  package static func withoutSecrets(_ text: String) -> String { Self(text)?.withoutSecrets ?? unreadable }

  // MARK: Database names

  private mutating func readName(_ text: String) -> Bool {
    withoutSecrets = text
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-.$".unicodeScalars.contains($0)
    }
  }

  // MARK: keyword = value

  private mutating func readPairs(_ text: String) -> Bool {
    var rest = text.unicodeScalars[...]
    var pairs: [String] = []
    while true {
      rest = rest.drop(while: \.isSpace)
      guard !rest.isEmpty else { break }
      let start = rest.startIndex
      let keyword = String(String.UnicodeScalarView(rest.prefix { !$0.isSpace && $0 != "=" }))
      rest = rest.dropFirst(keyword.unicodeScalars.count).drop(while: \.isSpace)
      guard !keyword.isEmpty, rest.popFirst() == "=" else { return false }
      rest = rest.drop(while: \.isSpace)
      guard Self.skipValue(&rest) else { return false }
      if !Self.isSecret(keyword) { pairs.append(String(text.unicodeScalars[start..<rest.startIndex])) }
    }
    withoutSecrets = pairs.joined(separator: " ")
    return true
  }

  /// Skips a value, which may be quoted and have escapes; returns whether its quote is closed.
  private static func skipValue(_ rest: inout Substring.UnicodeScalarView) -> Bool {
    let isQuoted = rest.first == "'"
    if isQuoted { rest.removeFirst() }
    while let scalar = rest.first {
      if !isQuoted, scalar.isSpace { return true }
      rest.removeFirst()
      if isQuoted, scalar == "'" { return true }
      if scalar == "\\" { _ = rest.popFirst() }
    }
    return !isQuoted
  }

  // MARK: URI

  private mutating func readURI(_ text: String) -> Bool {
    guard let (scheme, found) = text.cut(at: ":"), var rest = found.rest(after: "//") else { return false }
    withoutSecrets = scheme + "://"
    if let (user, place) = rest.cut(at: "@"), !user.utf8.contains(UInt8(ascii: "/")) {
      rest = place
      guard Self.decoded(user) != nil else { return false }
      withoutSecrets += (user.cut(at: ":")?.before ?? user) + "@"
      // An unescaped @ in a password would continue the password here.
      let authority = rest.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      guard !authority.contains(UInt8(ascii: "@")) else { return false }
    }
    return readPlace(rest)
  }

  /// Reads hosts, ports, database and parameters.
  private mutating func readPlace(_ rest: Substring) -> Bool {
    let (place, query) = rest.cut(at: "?").map { ($0, $1 as Substring?) } ?? (rest, nil)
    let authority = place.cut(at: "/")?.before ?? place
    for host in authority.split(at: ",", omittingEmptySubsequences: false) {
      // An unescaped / in a password would make the part before it a port.
      let name = host.begins(with: "[") ? host.cut(at: "]")?.after ?? host : host
      if let port = name.cut(at: ":")?.after {
        guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
      }
    }
    guard !place.utf8.contains(UInt8(ascii: "@")), Self.decoded(place) != nil else { return false }
    withoutSecrets += place
    guard let query else { return true }
    var parameters: [Substring] = []
    for parameter in query.split(at: "&") {
      let parts = parameter.split(at: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, let keyword = Self.decoded(parts[0]), Self.decoded(parts[1]) != nil else { return false }
      if !Self.isSecret(keyword) { parameters.append(parameter) }
    }
    if !parameters.isEmpty { withoutSecrets += "?" + parameters.joined(separator: "&") }
    return true
  }

  /// Decodes percent-encoding; `nil` if it is malformed.
  private static func decoded(_ text: Substring) -> String? {
    guard let bytes = text.utf8.percentDecoded(), !bytes.contains(0) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// C's `isspace` in the C locale.
  fileprivate var isSpace: Bool { value == 0x20 || (0x09...0x0D).contains(value) }
}
