extension PromptDescription {
  /// A part of a prompt's text: a paragraph, a heading, a list item, or code.
  package struct Block: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      case paragraph, heading, item
      /// Preformatted lines in a fixed-width font.
      case code
    }

    package var kind: Kind
    /// The nesting depth of an item, from 0.
    package var level = 0
    /// The text before an item, such as `2.`, or above code.
    package var label: String?
    package var runs: [Run]
    /// Whether the block is only the requester's statement about an attachment, which presenters show folded and as a
    /// quotation.
    package var isQuoted = false
    /// A description of the risks in a command; not part of the wire format.
    var warning: String?

    /// Whether the block describes the risks of the preceding command.
    package var isWarning: Bool { kind == .paragraph && runs.first?.styles == [.risk] }

    /// The text below the label.
    var plainText: String { (label.map { "\($0):\n" } ?? "") + text }

    /// The text without the label.
    package var text: String { runs.map(\.text).joined() }
  }

  /// Text in one style, with its line feeds.
  package struct Run: Sendable, Hashable {
    package enum Style: String, Sendable, Hashable, CaseIterable {
      case strong, emphasis, code
      /// The address of a link.
      case address
      /// Lines of a diff.
      case added, removed, hunk
      /// A visible replacement for an invisible character, such as `\u{202E}`.
      case mark
      /// A risky part of a command (``CommandRisk``).
      case risk
    }

    package var text: String
    package var styles: [Style] = []
  }
}

extension PromptDescription.Block {
  /// - Parameter directory: The requester's directory, outside which paths in a command are marked.
  package init(_ attachment: PresentationRequest.Attachment, directory: String? = nil) {
    // The final line feed does not begin another line.
    let text = attachment.text.ends(with: "\n") ? String(attachment.text.unicodeScalars.dropLast()) : attachment.text
    let marks = CommandRisk.Marks(attachment, directory: directory)
    self.init(
      kind: .code, label: attachment.title ?? attachment.kind.label,
      runs: PromptDescription.Run.exact(
        text, isDiff: attachment.kind == .diff, endsLinesLikeDOS: attachment.kind != .command,
        risks: marks.findings.map(\.range)))
    warning = Self.warning(marks.cautions)
  }
}

extension PromptDescription.Block {
  private static let maximumWarnings = 3

  /// Describes the marked words and the reasons.
  private static func warning(_ cautions: [String]) -> String? {
    guard !cautions.isEmpty else { return nil }
    let more = cautions.count - maximumWarnings
    return "Look twice: " + cautions.prefix(maximumWarnings).joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }
}

extension [PromptDescription.Run] {
  /// Appends text; extends the last run if it has the same styles.
  mutating func append(_ text: String, _ styles: [PromptDescription.Run.Style] = []) {
    guard !text.isEmpty else { return }
    if last?.styles == styles {
      self[count - 1].text += text
    } else {
      append(PromptDescription.Run(text: text, styles: styles))
    }
  }
}

extension PromptDescription.Run {
  /// Returns the text with visible marks in place of invisible characters and of characters that affect the display of others.
  /// Shows a tab as an arrow; keeps line feeds.
  ///
  /// - Parameters:
  ///   - endsLinesLikeDOS: Whether a carriage return may end a line, as `␍`. In a command, it is a part of the last word.
  ///   - risks: Ranges of the text's UTF-8 to mark, in order.
  package static func exact(
    _ text: String, isDiff: Bool = false, endsLinesLikeDOS: Bool = false, risks: [Range<Int>] = []
  ) -> [PromptDescription.Run] {
    var runs: [PromptDescription.Run] = []
    // Uses bytes, since repeatedly appending to a view of scalars takes quadratic time.
    var (bytes, styles): ([UInt8], [Style]) = ([], [])
    func add(_ more: some Sequence<UInt8>, _ newStyles: [Style]) {
      if styles != newStyles {
        runs.append(String(decoding: bytes, as: UTF8.self), styles)
        (bytes, styles) = ([], newStyles)
      }
      bytes += more
    }
    var (lineStyles, isLineStart): ([Style], Bool) = ([], true)
    var (offset, risks) = (0, risks[...])
    let scalars = text.unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      if isLineStart, isDiff { lineStyles = Self.styles(ofDiffLine: scalar) }
      if let risk = risks.first {
        if offset == risk.lowerBound { lineStyles.append(.risk) }
        if offset == risk.upperBound {
          lineStyles.removeLast()
          risks.removeFirst()
          if risks.first?.lowerBound == offset { lineStyles.append(.risk) }
        }
      }
      offset += UTF8.width(scalar)
      isLineStart = scalar == "\n"
      if scalar == "\t" {
        add("→   ".utf8, lineStyles + [.mark])
      } else if scalar == "\r", endsLinesLikeDOS, [nil, "\n"].contains(scalars[scalars.index(after: index)...].first) {
        add("␍".utf8, lineStyles + [.mark])
      } else if scalar == "\n" || scalar.isPlain {
        add(UTF8.encode(scalar)!, lineStyles)
      } else {
        add(scalar.escape.utf8, lineStyles + [.mark])
      }
    }
    runs.append(String(decoding: bytes, as: UTF8.self), styles)
    return runs
  }

  private static func styles(ofDiffLine first: Unicode.Scalar) -> [Style] {
    switch first {
    case "+": [.added]
    case "-": [.removed]
    case "@": [.hunk]
    default: []
    }
  }
}
