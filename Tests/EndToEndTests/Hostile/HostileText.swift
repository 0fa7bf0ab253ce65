import Router
import Testing

/// A hostile text, described by its effect if it were shown unescaped.
struct HostileText: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  /// Whether it is allowed in a title, because it is ugly but has no effect.
  var isHarmless = false

  init(_ description: String, _ text: String, isHarmless: Bool = false) {
    testDescription = description
    self.text = text
    self.isHarmless = isHarmless
  }

  static let all = [
    HostileText("clears the screen", "\u{1B}[2J\u{1B}[H"),
    HostileText("sets the window's title", "\u{1B}]0;root\u{7}"),
    HostileText("writes to the clipboard", "\u{1B}]52;c;cm0gLXJmIC8=\u{7}"),
    HostileText("makes a link", "\u{1B}]8;;http://evil.example\u{1B}\\here\u{1B}]8;;\u{1B}\\"),
    HostileText("asks the terminal to type", "\u{1B}[6n\u{1B}P$q\"p\u{1B}\\"),
    HostileText("has the introducer of the second set", "\u{9B}2J"),
    HostileText("has an operating system command of the second set", "\u{9D}0;root\u{9C}"),
    HostileText("goes back to the line's start", "harmless\rdangerous"),
    HostileText("goes back a character", "no\u{8}\u{8}yes"),
    HostileText("rings", "\u{7}"),
    HostileText("ends a C string", "a\u{0}b"),
    HostileText("deletes", "a\u{7F}"),
    HostileText("has a vertical tab and a form feed", "a\u{B}b\u{C}c"),
    HostileText("has a tab", "a\tb"),
    HostileText("turns the direction", "\u{202E}txt.exe"),
    HostileText("embeds a direction", "\u{202A}a\u{202B}b\u{202D}c\u{202C}"),
    HostileText("isolates a direction", "\u{2066}a\u{2067}b\u{2068}c\u{2069}"),
    HostileText("separates lines and paragraphs", "a\u{2028}b\u{2029}c"),
    HostileText("has the next line of the second set", "a\u{85}b"),
    HostileText("is a script", "<script>alert(1)</script>", isHarmless: true),
    HostileText("leaves an attribute", "\" onmouseover=\"alert(1)\" x='\"><img src=x onerror=alert(1)>", isHarmless: true),
    HostileText("ends a server-sent event", "data: {}\\n\\nevent: present", isHarmless: true),
    HostileText("is a header", "x%0d%0aSet-Cookie: a=b", isHarmless: true),
    HostileText("is SQL", "'; DROP TABLE events; --", isHarmless: true),
    HostileText("is a command", "$(reboot) `reboot` ; reboot & | > /etc/passwd", isHarmless: true),
    HostileText("is an option", "--help", isHarmless: true),
    HostileText("is a formula", "=HYPERLINK(\"http://evil.example\")", isHarmless: true),
    HostileText("is a format", "%s%n%@%x", isHarmless: true),
    HostileText("has marks without an end", "Z" + String(repeating: "\u{301}\u{353}", count: 60), isHarmless: true),
    HostileText("has marks of direction", "a\u{200E}b\u{200F}c\u{61C}", isHarmless: true),
    HostileText("has what has no width", "a\u{200B}b\u{FEFF}c\u{2060}\u{AD}", isHarmless: true),
    HostileText("is written in tags", "a\u{E0041}\u{E0042}\u{E007F}", isHarmless: true),
    HostileText(
      "is no character", String(decoding: [0xFFFE, 0xFFFF, 0xDBFF, 0xDFFF, 0xFDD0] as [UInt16], as: UTF16.self),
      isHarmless: true),
    HostileText("is private", "\u{E000}\u{F8FF}\u{100000}", isHarmless: true),
  ]

  /// Whether a terminal interprets a character, or it makes a line read differently than stored. Line breaks are checked by
  /// callers that look at lines.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether it is valid as a name.
  var isName: Bool {
    text.utf8.count <= 64
      && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || ".-_".unicodeScalars.contains($0)) }
  }

  /// The text as a JSON string in which everything but ASCII letters is escaped.
  var json: String {
    "\""
      + text.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined() + "\""
  }
}
