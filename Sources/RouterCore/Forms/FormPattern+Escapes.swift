enum FormPatternEscape {
  case scalar(Unicode.Scalar)
  case set(ScalarSet)

  var set: ScalarSet {
    switch self {
    case .scalar(let scalar): ScalarSet(scalar)
    case .set(let set): set
    }
  }
}

extension FormPatternParser {
  mutating func escape(from start: Int) throws(JSONError) -> FormPatternEscape {
    guard let scalar = next() else { throw error("a '\\' with nothing after it", at: start) }
    switch scalar {
    case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/", "-": return .scalar(scalar)
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "u": return .scalar(try codePoint(from: start))
    case "d": return .set(.digits)
    case "D": return .set(ScalarSet.digits.inverted)
    case "w": return .set(.wordCharacters)
    case "W": return .set(ScalarSet.wordCharacters.inverted)
    case "s": return .set(.whitespace)
    case "S": return .set(ScalarSet.whitespace.inverted)
    case "1"..."9", "k": throw unsupported("a back-reference", at: start)
    case "b", "B": throw unsupported("a word boundary", at: start)
    case "p", "P": throw unsupported("a Unicode property", at: start)
    case "!"..."~": throw unsupported("the escape '\\\(scalar)'", at: start)
    default: throw unsupported("an escape of no syntax character", at: start)
    }
  }

  private mutating func codePoint(from start: Int) throws(JSONError) -> Unicode.Scalar {
    if here == "{" { throw unsupported("the escape '\\u{'", at: start) }
    var unit = try codeUnit(from: start)
    if (0xD800..<0xDC00).contains(unit), take("\\"), take("u") {
      let low = try codeUnit(from: start)
      guard (0xDC00..<0xE000).contains(low) else { throw error("a lone surrogate", at: start) }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw error("a lone surrogate", at: start) }
    return scalar
  }

  private mutating func codeUnit(from start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw error("a '\\u' without its four hexadecimal digits", at: start)
      }
      unit = unit << 4 + UInt32(digit)
    }
    return unit
  }
}
