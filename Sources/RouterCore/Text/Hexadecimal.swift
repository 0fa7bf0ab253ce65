/// Hexadecimal encoding (RFC 4648, section 8): accepts either case, writes lowercase.
extension UInt8 {
  package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  package var hexDigits: (high: UInt8, low: UInt8) { ((self >> 4).hexDigit, (self & 0xF).hexDigit) }

  private var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10 }
}

extension Sequence<UInt8> {
  package var hexadecimal: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      let (high, low) = byte.hexDigits
      digits.append(high)
      digits.append(low)
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Decodes two digits per byte; returns `nil` for invalid input.
  package init?(hexadecimal text: some StringProtocol) {
    self.init()
    var digits = text.utf8.makeIterator()
    while let high = digits.next() {
      guard let high = high.hexDigitValue, let low = digits.next()?.hexDigitValue else { return nil }
      append(high << 4 | low)
    }
  }
}
