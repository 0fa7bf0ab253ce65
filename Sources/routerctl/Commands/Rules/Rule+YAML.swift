import OrderedCollections
import Router
import RouterConfiguration

extension Rule {
  /// The rule as lines of `rules.yaml`.
  ///
  /// - Parameter comment: A comment line above the rule.
  /// - Returns: `nil` if the file cannot represent its texts.
  func yaml(comment: String, _ commands: CommandTable) -> [String]? {
    let lines = lines(comment)
    let text = (["version: 1", "rules:"] + lines).joined(separator: "\n")
    return (try? RulesFile(path: "", text: text, commands))?.rules.rules == [self] ? lines : nil
  }

  private func lines(_ comment: String) -> [String] {
    var lines = ["  # \(comment)", "  - id: \(id)", "    match:"]
    let match = condition.json.object ?? [:]
    for (name, value) in match where name != "act" {
      let names = name == "user" ? value.array?.compactMap { Self.userName($0) } : nil
      lines.append("      \(name): \(names.map { Self.yaml(.array($0)) } ?? Self.yaml(value))")
    }
    for (index, (name, value)) in (match["act"]?.object ?? [:]).enumerated() {
      if index == 0 { lines.append("      act:") }
      // A single argument is also a list.
      let isShort = name == "argv" && value.array?.count == 1
      lines.append("        \(name): \(isShort ? "[\(Self.yaml(value))]" : Self.yaml(value))")
    }
    lines.append("    then: \(action.word)")
    if case .allow(let button?) = action { lines.append("    button: \(Self.yaml(.string(button)))") }
    return lines
  }

  private static func userName(_ uid: JSONValue) -> JSONValue? {
    uid.number?.integer.flatMap(UInt32.init(exactly:)).map { uid in
      ProcessIdentity.userName(of: uid).map { .string($0) } ?? .integer(Int(uid))
    }
  }

  /// Returns a value in YAML's flow style. A list with one element is equivalent to the element, except for `argv`.
  private static func yaml(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements) where elements.count == 1: yaml(elements[0])
    case .array(let elements): "[\(elements.map(yaml).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\(yaml(.string($0))): \(yaml($1))" }.joined(separator: ", "))}"
    case .string(let text): text.isPlainInYAML ? text : value.description
    default: value.description
    }
  }
}

extension String {
  /// Whether YAML parses the text without quotes as the same text.
  fileprivate var isPlainInYAML: Bool {
    guard self != "...", let first = utf8.first else { return self == "..." }
    let isWord = utf8.allSatisfy { $0.lowercasedASCII.isSmallLetter || "0123456789/._-+@".utf8.contains($0) }
    let isReserved = ["yes", "no", "true", "false", "null", "on", "off", "y", "n"].contains(lowercased())
    return isWord && !isReserved && first != UInt8(ascii: "-") && first != UInt8(ascii: "@") && self != "."
  }
}
