extension String {
  /// Decodes UTF-8, and shows each invalid byte as an escape, such as `\xff`.
  package init(showing bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    var output: [UInt8] = []
    bytes.forEachUTF8 { scalar, bytes in
      if scalar == nil { for byte in bytes { output += (#"\x"# + [byte].hexadecimal).utf8 } } else { output += bytes }
    }
    self = String(decoding: output, as: UTF8.self)
  }
}

/// Text that may not be UTF-8, such as a file's name, as a `String` that preserves its bytes: each invalid byte becomes a code
/// point from U+10FF80 to U+10FFFF, in a private use area. Bytes that already encode such a code point are converted in the
/// same way, so that the mapping is one-to-one.
extension String {
  /// Decodes UTF-8, and preserves each invalid byte.
  package init(keeping bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.hasKeptBytes {
      self = text
      return
    }
    var output: [UInt8] = []
    bytes.forEachUTF8 { scalar, bytes in
      if let scalar, !scalar.isKeptByte {
        output += bytes
      } else {
        for byte in bytes { output += UTF8.encode(Unicode.Scalar(0x10FF00 + UInt32(byte))!)! }
      }
    }
    self = String(decoding: output, as: UTF8.self)
  }

  /// The original bytes of a text created with ``init(keeping:)``.
  package var keptBytes: [UInt8] {
    guard hasKeptBytes else { return Array(utf8) }
    var output: [UInt8] = []
    for scalar in unicodeScalars {
      if scalar.isKeptByte { output.append(UInt8(scalar.value & 0xFF)) } else { output += UTF8.encode(scalar)! }
    }
    return output
  }

  /// The text with each preserved byte shown as an escape, such as `\xff`.
  package var showingKeptBytes: String { hasKeptBytes ? String(showing: keptBytes) : self }

  private var hasKeptBytes: Bool {
    utf8.contains(0xF4) && unicodeScalars.contains(where: \.isKeptByte)
  }
}

extension Unicode.Scalar {
  fileprivate var isKeptByte: Bool { (0x10FF80...0x10FFFF).contains(value) }
}

extension Collection<UInt8> {
  /// Calls a closure with each code point and its bytes, and with `nil` and the bytes of each invalid part.
  fileprivate func forEachUTF8(_ body: (Unicode.Scalar?, SubSequence) -> Void) {
    var parser = UTF8.ForwardParser()
    var source = makeIterator()
    var position = startIndex
    while true {
      let (scalar, length): (Unicode.Scalar?, Int)
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded): (scalar, length) = (UTF8.decode(encoded), encoded.count)
      case .error(let count): (scalar, length) = (nil, count)
      case .emptyInput: return
      }
      let end = index(position, offsetBy: length)
      body(scalar, self[position..<end])
      position = end
    }
  }
}
