import OrderedCollections

/// An error in JSON text, or in the structure of a JSON value.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The error, such as `the key "title" appears twice`.
  public let message: String
  /// A JSON Pointer (RFC 6901) to the faulty value; empty for the whole text.
  public let pointer: String

  public init(_ message: String, at pointer: String = "") {
    self.message = message
    self.pointer = pointer
  }

  public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }

  /// The same as ``description``, for uncaught errors.
  public var debugDescription: String { description }
}

extension JSONValue {
  /// The maximum nesting depth of JSON from clients.
  public static let maximumDepth = 32
  /// The maximum nesting depth of JSON written by the daemon or the log, which nest a client's value in a presentation, an
  /// event and a page.
  package static let maximumWrappedDepth = maximumDepth + 8

  /// Parses one JSON text (RFC 8259) strictly. Rejects duplicate keys, invalid UTF-8, lone surrogates, excessive depth
  /// and trailing content with a ``JSONError``.
  ///
  /// - Parameter maximumDepth: The maximum nesting depth.
  public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = Self.maximumDepth) throws(JSONError) {
    var reader = JSONReader(bytes: Array(bytes), maximumDepth: maximumDepth)
    self = try reader.document()
  }

  /// Parses one JSON text given as a string. Throws a ``JSONError``.
  public init(parsing text: String, maximumDepth: Int = Self.maximumDepth) throws(JSONError) {
    try self.init(parsing: text.utf8, maximumDepth: maximumDepth)
  }
}

/// A recursive-descent parser over bytes. ``maximumDepth`` limits its recursion.
private struct JSONReader {
  let bytes: [UInt8]
  let maximumDepth: Int
  var index = 0
  /// The member names on the path to the current value, for the pointer of an error.
  var path: [String] = []

  mutating func document() throws(JSONError) -> JSONValue {
    skipWhitespace()
    let value = try value(depth: 0)
    skipWhitespace()
    guard index == bytes.count else { throw error("unexpected \(here) after the value") }
    return value
  }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard index < bytes.count else { throw error("the text ends where a value is expected") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("unexpected \(here) where a value is expected")
    }
  }

  mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    try enter(depth)
    skipWhitespace()
    if take("}") { return .object([:]) }
    // Most objects are small.
    var members = OrderedDictionary<String, JSONValue>(minimumCapacity: 4)
    while true {
      skipWhitespace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw error("unexpected \(here) where a key in quotes is expected")
      }
      let key = try string()
      skipWhitespace()
      guard take(":") else { throw error("unexpected \(here) where ':' is expected") }
      skipWhitespace()
      path.append(key)
      guard members.updateValue(try value(depth: depth), forKey: key) == nil else {
        throw error("the key \"\(key.shortened)\" appears twice")
      }
      path.removeLast()
      skipWhitespace()
      if take(",") { continue }
      if take("}") { return .object(members) }
      throw error("unexpected \(here) where ',' or '}' is expected")
    }
  }

  mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    try enter(depth)
    var elements: [JSONValue] = []
    skipWhitespace()
    if take("]") { return .array(elements) }
    while true {
      skipWhitespace()
      path.append(String(elements.count))
      elements.append(try value(depth: depth))
      path.removeLast()
      skipWhitespace()
      if take(",") { continue }
      if take("]") { return .array(elements) }
      throw error("unexpected \(here) where ',' or ']' is expected")
    }
  }

  mutating func enter(_ depth: Int) throws(JSONError) {
    guard depth <= maximumDepth else { throw error("more than \(maximumDepth) levels") }
    index += 1
  }

  mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let matches = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    guard matches else { throw error("unexpected \(here) where a value is expected") }
    index += text.utf8CodeUnitCount
    return value
  }

  mutating func number() throws(JSONError) -> JSONValue.Number {
    let start = index
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return JSONValue.Number(literal: String(decoding: bytes[start..<index], as: UTF8.self))
  }

  mutating func digits() throws(JSONError) {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    guard index > start else { throw error("unexpected \(here) where a digit is expected") }
  }

  mutating func string() throws(JSONError) -> String {
    index += 1
    var start = index
    var scratch: [UInt8] = []
    var isASCII = true
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let run = bytes[start..<index]
        index += 1
        // ASCII needs no validation, which is a slow generic call.
        if isASCII, scratch.isEmpty { return String(decoding: run, as: UTF8.self) }
        guard let text = String(validating: scratch.isEmpty ? run : scratch[...] + run, as: UTF8.self) else {
          throw error("a string is not valid UTF-8")
        }
        return text
      case UInt8(ascii: "\\"):
        scratch += bytes[start..<index]
        index += 1
        try escape(into: &scratch)
        start = index
      case 0..<0x20: throw error("a control character stands unescaped in a string")
      case 0x80...:
        isASCII = false
        index += 1
      default: index += 1
      }
    }
    throw error("a string is not closed")
  }

  mutating func escape(into scratch: inout [UInt8]) throws(JSONError) {
    guard index < bytes.count else { throw error("a string is not closed") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"):
      var unit = UInt32(try codeUnit())
      if (0xD800..<0xDC00).contains(unit), take("\\"), take("u") {
        let low = UInt32(try codeUnit())
        guard (0xDC00..<0xE000).contains(low) else { throw error("a string has a lone surrogate") }
        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw error("a string has a lone surrogate") }
      scratch.append(contentsOf: UTF8.encode(scalar)!)
    default: throw error("a string has an unknown escape")
    }
  }

  mutating func codeUnit() throws(JSONError) -> UInt16 {
    let digits = bytes[index...].prefix(4).compactMap(\.hexDigitValue)
    guard digits.count == 4 else { throw error("a \\u escape lacks its four hexadecimal digits") }
    index += 4
    return digits.reduce(0) { $0 << 4 | UInt16($1) }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func skipWhitespace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  var here: String {
    guard index < bytes.count else { return "end of the text" }
    let byte = bytes[index]
    return (0x21..<0x7F).contains(byte) ? "'\(Unicode.Scalar(byte))' at byte \(index)" : "byte \(index)"
  }

  func error(_ message: String) -> JSONError {
    JSONError(message, at: path.map { "/" + JSONPointer.escape($0) }.joined())
  }
}

/// JSON Pointer (RFC 6901).
package enum JSONPointer {
  /// Returns the member name that a token represents.
  package static func unescape(_ token: some StringProtocol) -> String {
    let parts = token.split(at: "~", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { name, part in
      name += part.rest(after: "1").map { "/" + $0 } ?? part.rest(after: "0").map { "~" + $0 } ?? "~" + part
    }
  }

  static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
    // By code point, since a combining mark after a slash would merge with it.
    return token.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
