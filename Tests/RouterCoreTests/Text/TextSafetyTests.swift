import Testing

@testable import RouterCore

/// The predicates of text, checked for every code point.
/// Promise P63.
struct TextSafetyTests {
  private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

  @Test func `each code point is treated as its properties say`() {
    for scalar in Self.scalars {
      let (properties, category) = (scalar.properties, scalar.properties.generalCategory)
      let isMark = [0x061C, 0x200E, 0x200F].contains(scalar.value)
      let isSeparator = category == .lineSeparator || category == .paragraphSeparator
      let isHidden = properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar.value == 0x2800
      let isUnknown = [.surrogate, .privateUse, .unassigned].contains(category)
      let isControl = category == .control
      let isForbidden = isControl || isSeparator || properties.isBidiControl && !isMark
      let isSafe = !isForbidden && !isUnknown && (category != .format || scalar.value == 0x200D)
      let isVisible = !isControl && !isHidden
      guard
        scalar.isControl == isControl, scalar.isForbiddenInRequest == isForbidden, scalar.isSafeOnTerminal == isSafe,
        scalar.isVisible == isVisible, scalar.isPlain == (scalar == " " || isSafe && isVisible)
      else {
        Issue.record("\(scalar.codePoint) is not treated as \(properties) say")
        return
      }
    }
  }

  @Test func `what a request may not contain never reaches a terminal`() {
    #expect(!Self.scalars.contains { $0.isForbiddenInRequest && $0.isSafeOnTerminal })
    let names = Self.scalars.filter(\.isNameScalar)
    #expect(names.count == 65)
    #expect(!names.contains { !$0.isPlain })
  }

  @Test func `escaping keeps what is safe and names the rest`() throws {
    let text = String(String.UnicodeScalarView(Self.scalars))
    let escaped = text.escapedForTerminal()
    #expect(!escaped.unicodeScalars.contains { !$0.isSafeOnTerminal })
    #expect(escaped.contains("\\u{1B}") && escaped.contains("\\u{202E}") && escaped.contains("\\u{10FFFF}"))
    let json = JSONValue.string(text).escapedForTerminal
    let parsed = try JSONValue(parsing: json)
    #expect(!json.unicodeScalars.contains { !$0.isSafeOnTerminal })
    #expect(parsed == .string(text))
  }
}
