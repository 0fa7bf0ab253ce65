import Router

/// What a program asks for, judged by how its own text begins. The protocols do not say whether an answer may be shown as it is
/// typed, so only answers to these texts are: ``isSecret`` is true for all others.
struct AskedAnswer: Hashable {
  let label: String
  let isSecret: Bool

  /// - Parameter text: The program's text, such as `Password for 'https://ada@host': `.
  init(to text: String) {
    let asked = Self.withoutAccount(text.trimmingWhiteSpace[...])
    if let shown = Self.shown.first(where: { $0.fits(asked) }) {
      (label, isSecret) = (shown.label, false)
    } else {
      let own = Self.ownWords(asked)
      (label, isSecret) = (Self.hidden.first { own.begins(with: $0.start) }?.label ?? "Answer", true)
    }
  }

  /// A whole text of a program.
  private struct ShownText {
    let start: String
    let label: String
    /// The end after a quoted part, which may say anything but cannot have another quotation mark.
    var end: String?

    func fits(_ text: Substring) -> Bool {
      guard let end else { return text.isSame(as: start) }
      guard let rest = text.rest(after: start), rest.ends(with: end) else { return false }
      return !rest.utf8.dropLast(end.utf8.count).contains { $0 < 0x20 || "'\"".utf8.contains($0) }
    }
  }

  /// The questions for a user of git, git-lfs and git-svn, and of PAM's modules for a one-time code.
  private static let shown = [
    ShownText(start: "Username for '", label: "User name", end: "':"),
    ShownText(start: "Username for \"", label: "User name", end: "\""),
    ShownText(start: "Username:", label: "User name"),
    ShownText(start: "Verification code:", label: "Code"),
  ]

  /// The beginnings of the own words of ssh, sudo, git and PAM's modules, which only name the hidden field.
  private static let hidden: [(start: String, label: String)] = [
    ("enter passphrase", "Passphrase"), ("enter new passphrase", "Passphrase"), ("enter old passphrase", "Passphrase"),
    ("enter same passphrase", "Passphrase"), ("bad passphrase", "Passphrase"), ("passphrase", "Passphrase"),
    ("enter pin", "PIN"), ("enter lock password", "Password"), ("password", "Password"),
  ]

  /// The text without the account that ssh and sudo put before the text of another program, as in `(ada@host) Password:`.
  private static func withoutAccount(_ text: Substring) -> Substring {
    let rest = text.rest(after: "(")?.cut(at: ")")?.after ?? text.rest(after: "[")?.cut(at: "]")?.after
    return rest.map { Substring($0.utf8.drop { $0 == 0x20 }) } ?? text
  }

  /// The text in lower case without its quoted parts, paths and accounts.
  private static func ownWords(_ text: Substring) -> String {
    let own = text.split(at: " ").filter { word in
      !word.utf8.contains { "/@".utf8.contains($0) } && !word.begins(with: "'") && !word.begins(with: "\"")
    }
    return own.joined(separator: " ").lowercased()
  }
}

extension String {
  /// The text without the user parts of its addresses, `https://user@host`, except those that begin one of the `words`.
  ///
  /// git puts what a person typed for a user name into its question for the password. The words are those of the command lines
  /// that ask, which anybody can read anyway.
  func withoutUsers(exceptIn words: [[UInt8]]) -> String {
    var (rest, output) = (Array(utf8)[...], [UInt8]())
    while let mark = rest.firstRange(of: Array("://".utf8)) {
      let after = rest[mark.upperBound...]
      // A program escapes these in a user's name.
      let authority = after.prefix { $0 > 0x20 && !"/'\"?#".utf8.contains($0) }
      let scheme = rest[..<mark.lowerBound].reversed().prefix { (0x30...0x7A).contains($0) || $0 == UInt8(ascii: "+") }
      output += rest[..<mark.upperBound]
      rest = after
      guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { continue }
      let address = scheme.reversed() + Array("://".utf8) + authority[...end]
      output += words.contains { $0.starts(with: address) } ? Array(authority[..<end]) : Array("…".utf8)
      rest = rest[end...]
    }
    return String(decoding: output + rest, as: UTF8.self)
  }
}
