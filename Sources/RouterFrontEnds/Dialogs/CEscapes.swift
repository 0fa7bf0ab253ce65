import Router

/// Decodes the escapes of C strings, as `g_strcompress` does.
enum CEscapes {
  static func decode(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var output: [UInt8] = []
    var rest = text.keptBytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { break }
      switch escape {
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        rest = [escape] + rest
        let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        output.append(digits.reduce(0) { $0 &* 8 &+ ($1 - UInt8(ascii: "0")) })
        rest = rest.dropFirst(digits.count)
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "v"): output.append(0x0B)
      default: output.append(escape)
      }
    }
    return String(keeping: output)
  }
}

/// Pango markup.
enum PangoMarkup {
  /// Returns the text that the markup displays, or the markup itself if it is not well-formed.
  static func text(_ markup: String) -> String {
    var output = String.UnicodeScalarView()
    var open: [String] = []
    var rest = markup.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "<" {
        guard let end = rest.firstIndex(of: ">") else { return markup }
        let tag = rest[rest.index(after: rest.startIndex)..<end]
        let name = String(tag.drop { $0 == "/" }.prefix { $0.isNameScalar && $0 != "." && $0 != "-" })
        guard !name.isEmpty else { return markup }
        if tag.first == "/" {
          guard open.popLast() == name else { return markup }
        } else if tag.last != "/" {
          open.append(name)
        }
        rest = rest[rest.index(after: end)...]
      } else if scalar == "&" {
        guard let end = rest.prefix(12).firstIndex(of: ";"),
          let scalar = Self.scalar(Substring(rest[rest.index(after: rest.startIndex)..<end]))
        else { return markup }
        output.append(scalar)
        rest = rest[rest.index(after: end)...]
      } else {
        output.append(scalar)
        rest.removeFirst()
      }
    }
    return open.isEmpty ? String(output) : markup
  }

  private static func scalar(_ entity: Substring) -> Unicode.Scalar? {
    switch entity {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case _ where entity.begins(with: "#x"): UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where entity.begins(with: "#"): UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
    default: nil
    }
  }
}
