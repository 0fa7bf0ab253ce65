/// A value in a YAML file, with its first line.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    /// A plain scalar that is empty, `~` or `null`.
    case null
    /// Any other scalar, as written: settings parse their own texts.
    case text(String)
    case list([YAMLNode])
    case members([Member])
  }

  package struct Member: Sendable {
    package let name: String
    /// The line of the key.
    package let line: Int
    package let value: YAMLNode
  }

  package let content: Content
  package let line: Int

  package var members: [Member]? { if case .members(let members) = content { members } else { nil } }
}

/// An error in a YAML file.
package struct YAMLError: Error, CustomStringConvertible {
  package let line: Int
  package let message: String

  package init(_ message: String, line: Int) {
    self.message = message
    self.line = line
  }

  package var description: String { "line \(line): \(message)" }
}
