extension PromptDescription {
  /// A part of what a person reads: a paragraph, a heading, an item of a list, or code.
  package struct Block: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
      case paragraph, heading, item
      /// Lines in a fixed pitch, exactly as they are.
      case code
    }

    package var kind: Kind
    /// How deep an item is nested, from 0.
    package var level = 0
    /// What stands before an item, such as `2.`, or above code.
    package var label: String?
    package var runs: [Run]
    /// Whether it is only what the requester says about an attachment, which presenters show folded and as a quotation.
    package var isQuoted = false
    /// What is risky about a command, in words; not part of the wire format.
    var warning: String?

    /// Whether it says what is risky about the command before it.
    package var isWarning: Bool { kind == .paragraph && runs.first?.styles == [.risk] }

    /// The text below the label.
    var plainText: String { (label.map { "\($0):\n" } ?? "") + text }

    /// The text alone.
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
      /// Stands for a character that cannot be seen, as in `\u{202E}`.
      case mark
      /// Deserves a second look (``CommandRisk``).
      case risk
    }

    package var text: String
    package var styles: [Style] = []
  }
}

extension PromptDescription.Block {
  /// - Parameter directory: The requester's directory, outside which paths in a command are marked.
  package init(_ attachment: PresentationRequest.Attachment, directory: String? = nil) {
    // The line feed at the end of the last line does not begin another one.
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

  /// Says which words are marked and why.
  private static func warning(_ cautions: [String]) -> String? {
    guard !cautions.isEmpty else { return nil }
    let more = cautions.count - maximumWarnings
    return "Look twice: " + cautions.prefix(maximumWarnings).joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }
}

extension [PromptDescription.Run] {
  /// Appends text, to the last run if that has the same styles.
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
  /// The text with a mark for every character that cannot be seen or that changes how others are seen. A tab is an arrow; line
  /// feeds stay.
  ///
  /// - Parameters:
  ///   - endsLinesLikeDOS: Whether a carriage return may end a line, as `␍`. In a command, it is a part of the last word.
  ///   - risks: Ranges of the text's UTF-8 to mark, in order.
  package static func exact(
    _ text: String, isDiff: Bool = false, endsLinesLikeDOS: Bool = false, risks: [Range<Int>] = []
  ) -> [PromptDescription.Run] {
    var runs: [PromptDescription.Run] = []
    // Bytes: a view of scalars that is appended to takes time in the square of its length.
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
