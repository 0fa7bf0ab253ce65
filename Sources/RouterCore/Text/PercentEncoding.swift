/// Percent-encoding (RFC 3986, section 2.1).
extension Collection<UInt8> {
  /// Decodes escapes such as `%2F`.
  ///
  /// - Parameter isLenient: Whether to keep an incomplete escape unchanged instead of returning `nil`.
  package func percentDecoded(isLenient: Bool = false) -> [UInt8]? {
    var (bytes, rest) = ([UInt8](), self[...])
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else if let high = rest.first?.hexDigitValue, let low = rest.dropFirst().first?.hexDigitValue {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else if isLenient {
        bytes.append(byte)
      } else {
        return nil
      }
    }
    return bytes
  }
}

extension UInt8 {
  /// The escape of the byte, with uppercase digits.
  package var percentEscape: [UInt8] { Array("%\([self].hexadecimal.uppercased())".utf8) }
}

extension String {
  /// Percent-encodes all characters except the unreserved ones and `others`.
  package func percentEncoded(keeping others: String = "") -> String {
    let bytes = utf8.flatMap { byte in
      let isKept = Unicode.Scalar(byte).isNameScalar || byte == UInt8(ascii: "~") || others.utf8.contains(byte)
      return isKept ? [byte] : byte.percentEscape
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
