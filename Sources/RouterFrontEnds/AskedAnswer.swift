import Router

/// The kind of answer that a program asks for, recognized by the beginning of its text. The protocols do not tell whether
/// typing may be visible, so it is visible only for known texts: ``isSecret`` is true for all others.
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

  /// A complete text of a program.
  private struct ShownText {
    let start: String
    let label: String
    /// The text after a quoted part, which may contain anything but another quotation mark.
    var end: String?

    func fits(_ text: Substring) -> Bool {
      guard let end else { return text.isSame(as: start) }
      guard let rest = text.rest(after: start), rest.ends(with: end) else { return false }
      return !rest.utf8.dropLast(end.utf8.count).contains { $0 < 0x20 || "'\"".utf8.contains($0) }
    }
  }

  /// The questions of git, git-lfs and git-svn for a user name, and of PAM's modules for a one-time code.
  private static let shown = [
    ShownText(start: "Username for '", label: "User name", end: "':"),
    ShownText(start: "Username for \"", label: "User name", end: "\""),
    ShownText(start: "Username:", label: "User name"),
    ShownText(start: "Verification code:", label: "Code"),
  ]

  /// The beginnings of texts by ssh, sudo, git and PAM's modules for a hidden field, with labels.
  private static let hidden: [(start: String, label: String)] = [
    ("enter passphrase", "Passphrase"), ("enter new passphrase", "Passphrase"), ("enter old passphrase", "Passphrase"),
    ("enter same passphrase", "Passphrase"), ("bad passphrase", "Passphrase"), ("passphrase", "Passphrase"),
    ("enter pin", "PIN"), ("enter lock password", "Password"), ("password", "Password"),
  ]

  /// Removes the account that ssh and sudo add before another program's text, as in `(ada@host) Password:`.
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
  /// Removes user names from URLs in the text, such as `https://user@host`, except for URLs that begin one of the `words`.
  ///
  /// git includes the typed user name in its question for the password. The words come from the requester's command lines,
  /// which are public anyway.
  func withoutUsers(exceptIn words: [[UInt8]]) -> String {
    var (rest, output) = (Array(utf8)[...], [UInt8]())
    while let mark = rest.firstRange(of: Array("://".utf8)) {
      let after = rest[mark.upperBound...]
      // Programs escape these characters in user names.
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
