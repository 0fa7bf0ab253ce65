/// A value in a YAML file, and the line where it begins.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    /// A plain scalar that is empty, `~` or `null`.
    case null
    /// Any other scalar, as written: settings parse their own texts.
    case text(String)
    case list([YAMLNode])
    case members([Member])
  }

  struct Member: Sendable {
    let name: String
    /// The line of the name.
    let line: Int
    let value: YAMLNode
  }

  let content: Content
  let line: Int

  var members: [Member]? { if case .members(let members) = content { members } else { nil } }
}

/// A mistake in a YAML file.
struct YAMLError: Error, CustomStringConvertible {
  let line: Int
  let message: String

  init(_ message: String, line: Int) {
    self.message = message
    self.line = line
  }

  var description: String { "line \(line): \(message)" }
}
