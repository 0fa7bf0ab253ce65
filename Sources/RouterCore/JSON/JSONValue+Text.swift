extension JSONValue: CustomStringConvertible {
  /// The JSON text without white space, members in order.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The JSON text as UTF-8.
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    // Most values take a few hundred bytes.
    output.reserveCapacity(512)
    write(to: &output)
    return output
  }

  func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.literal.utf8)
    case .string(let text): output.appendJSON(text)
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
        output.appendJSON(member.key)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}

extension [UInt8] {
  /// Appends a quoted JSON string, copying runs without escapes at once.
  mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var (start, index) = (0, 0)
      while index < bytes.count {
        // Eight bytes at a time, since few texts need an escape.
        if index + 8 <= bytes.count {
          let eight = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
          if !eight.hasByteThatNeedsEscape {
            index += 8
            continue
          }
        }
        let byte = bytes[index]
        if byte.needsEscape {
          append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
          appendEscaped(byte)
          start = index + 1
        }
        index += 1
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): append(contentsOf: #"\\"#.utf8)
    case 0x0A: append(contentsOf: #"\n"#.utf8)
    case 0x0D: append(contentsOf: #"\r"#.utf8)
    case 0x09: append(contentsOf: #"\t"#.utf8)
    default:
      let (high, low) = byte.hexDigits
      append(contentsOf: "\\u00".utf8)
      append(high)
      append(low)
    }
  }
}

extension UInt8 {
  /// Whether the byte must be escaped: as RFC 8259, section 7 requires, and also DEL, which some terminals interpret.
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == 0x7F || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// Whether any of the eight bytes needs an escape.
  fileprivate var hasByteThatNeedsEscape: Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    // The subtraction sets the highest bit of the first byte that is less than `limit`.
    func isLess(_ word: UInt64, _ limit: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
    func has(_ byte: UInt8) -> UInt64 { isLess(self ^ ones &* UInt64(byte), 1) }
    return (isLess(self, 0x20) | has(0x7F) | has(UInt8(ascii: "\"")) | has(UInt8(ascii: "\\"))) & highs != 0
  }
}
