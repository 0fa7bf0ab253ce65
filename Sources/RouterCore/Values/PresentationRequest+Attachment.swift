extension PresentationRequest {
  /// A command, a diff or another text that is shown in full above the message.
  ///
  /// It may contain any character. Presenters mark invisible characters, and characters that affect the display of others.
  public struct Attachment: Sendable, Hashable, Codable {
    /// The maximum total size of a request's attachments, in bytes of UTF-8.
    public static let maximumBytes = 262_144

    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      case command
      /// A unified diff.
      case diff
      /// Text relevant to the decision, such as the options of a command.
      case text

      var label: String {
        switch self {
        case .command: "Command"
        case .diff: "Diff"
        case .text: "Text"
        }
      }
    }

    public var kind: Kind
    /// The heading above the attachment (default: the kind).
    public var title: String?
    public var text: String

    public init(_ kind: Kind, _ text: String, title: String? = nil) {
      self.kind = kind
      self.text = text
      self.title = title
    }
  }

  /// The format of a message.
  public enum MessageFormat: String, Sendable, Hashable, Codable, CaseIterable {
    case plain
    /// A subset of Markdown: paragraphs, headings, lists, code, emphasis, and links with their full address.
    case markdown
  }
}

extension PresentationRequest.Attachment: Record {
  package static var schemaName: String { "PresentationAttachment" }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    kind = try f("type", \.kind)
    title = try f("title", \.title, "Heading (default: Command, Diff or Text).", .schema("Label"))
    text = try f("text", \.text, "", ["type": "string", "maxLength": 262144])
  }
}

extension [PresentationRequest.Attachment] {
  func check(at pointer: String) throws(JSONError) {
    guard count <= 8 else { throw JSONError("must have at most 8 attachments", at: pointer) }
    guard reduce(0, { $0 + $1.text.utf8.count }) <= PresentationRequest.Attachment.maximumBytes else {
      throw JSONError("must have at most \(PresentationRequest.Attachment.maximumBytes) bytes of text", at: pointer)
    }
    for (index, attachment) in enumerated() {
      if let title = attachment.title { try TextRule.label.check(title, at: "\(pointer)/\(index)/title") }
    }
  }
}
