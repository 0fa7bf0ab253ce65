/// Parses the inline elements of Markdown: emphasis, code, links and escapes. Takes linear time.
struct MarkdownLine {
  private static let longestAddress = 2048

  /// Text, or a delimiter that opens or closes a style.
  private struct Piece {
    var text: String
    var styles: [PromptDescription.Run.Style] = []
    var style: PromptDescription.Run.Style?
    /// Whether the style begins or ends here; neither for an unmatched delimiter.
    var turn: Turn?
  }

  private enum Turn {
    case begin, end
  }

  /// An open delimiter and the index of its piece.
  private struct Opening {
    let mark: String
    let piece: Int
  }

  private let scalars: [Unicode.Scalar]
  /// The last position of a run of backticks, by length.
  private var lastTicks: [Int: Int] = [:]
  private var next = 0
  private var pieces: [Piece] = []
  private var openings: [Opening] = []
  /// The number of ``openings`` by delimiter.
  private var counts: [String: Int] = [:]
  private var brackets: [Int] = []

  static func runs(of text: String) -> [PromptDescription.Run] {
    var line = MarkdownLine(text)
    while line.next < line.scalars.count { line.read() }
    return line.runs
  }

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let count = length(of: "`", at: index)
      if count > 0 { lastTicks[count] = index }
      index += max(1, count)
    }
  }

  private mutating func read() {
    switch scalars[next] {
    case "\\":
      let isEscape = next + 1 < scalars.count && scalars[next + 1].isASCII && scalars[next + 1].isPunctuation
      addText(isEscape ? next + 1..<next + 2 : next..<next + 1)
      next += isEscape ? 2 : 1
    case "`": readCode()
    case "*", "_": readMarks()
    case "[":
      brackets.append(pieces.count)
      pieces.append(Piece(text: "["))
      next += 1
    case "]": readLinkEnd()
    default:
      let start = next
      while next < scalars.count, !["\\", "`", "*", "_", "[", "]"].contains(scalars[next]) { next += 1 }
      addText(start..<next)
    }
  }

  private mutating func readCode() {
    let (start, count) = (next, length(of: "`", at: next))
    next += count
    guard let last = lastTicks[count], last > start else { return addText(start..<next) }
    let first = next
    while length(of: "`", at: next) != count { next += max(1, length(of: "`", at: next)) }
    var code = first..<next
    if code.count > 2, scalars[code.lowerBound] == " ", scalars[code.upperBound - 1] == " " {
      code = code.lowerBound + 1..<code.upperBound - 1
    }
    for run in PromptDescription.Run.exact(text(code)) { pieces.append(Piece(text: run.text, styles: [.code] + run.styles)) }
    next += count
  }

  /// Parses emphasis delimiters, which count only at word boundaries: `a*b*c` and `a_name` are text.
  private mutating func readMarks() {
    let (mark, start) = (scalars[next], next)
    let count = length(of: mark, at: next)
    next += count
    let before = start > 0 ? scalars[start - 1] : " "
    let after = next < scalars.count ? scalars[next] : " "
    let canOpen = !after.properties.isWhitespace && !before.isWordPart
    let canClose = !before.properties.isWhitespace && !after.isWordPart
    guard count <= 3, canOpen || canClose else { return addText(start..<next) }
    let (one, two) = (String(mark), String(mark) + String(mark))
    let parts = count == 1 ? [one] : count == 2 ? [two] : [two, one]
    let closes = canClose && parts.allSatisfy { counts[$0, default: 0] > 0 }
    for part in closes ? parts.reversed() : parts {
      if closes { close(part) } else if canOpen { open(part) } else { pieces.append(Piece(text: part)) }
    }
  }

  private mutating func open(_ mark: String) {
    openings.append(Opening(mark: mark, piece: pieces.count))
    counts[mark, default: 0] += 1
    pieces.append(Piece(text: mark, style: Self.style(mark)))
  }

  /// Closes a style. Unclosed delimiters inside it become text.
  private mutating func close(_ mark: String) {
    guard counts[mark, default: 0] > 0 else { return pieces.append(Piece(text: mark)) }
    while let opening = openings.popLast() {
      counts[opening.mark, default: 0] -= 1
      guard opening.mark == mark else { continue }
      pieces[opening.piece].turn = .begin
      return pieces.append(Piece(text: mark, style: Self.style(mark), turn: .end))
    }
  }

  private static func style(_ mark: String) -> PromptDescription.Run.Style { mark.utf8.count == 1 ? .emphasis : .strong }

  private mutating func readLinkEnd() {
    let start = next
    next += 1
    guard let bracket = brackets.popLast(), let address = address() else { return addText(start..<next) }
    pieces[bracket].text = ""
    pieces.append(Piece(text: " <"))
    pieces.append(Piece(text: address, styles: [.address]))
    pieces.append(Piece(text: ">"))
  }

  /// Parses an address in parentheses, which may contain balanced parentheses.
  private mutating func address() -> String? {
    guard next < scalars.count, scalars[next] == "(" else { return nil }
    var (index, depth) = (next + 1, 1)
    while index < scalars.count, index - next < Self.longestAddress, !scalars[index].properties.isWhitespace {
      depth += scalars[index] == "(" ? 1 : scalars[index] == ")" ? -1 : 0
      if depth == 0 {
        defer { next = index + 1 }
        return index > next + 1 ? text(next + 1..<index) : nil
      }
      index += 1
    }
    return nil
  }

  private func length(of mark: Unicode.Scalar, at index: Int) -> Int { scalars[index...].prefix { $0 == mark }.count }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: scalars[range].flatMap { UTF8.encode($0)! }, as: UTF8.self)
  }

  private mutating func addText(_ range: Range<Int>) { pieces.append(Piece(text: text(range))) }

  private var runs: [PromptDescription.Run] {
    var runs: [PromptDescription.Run] = []
    var styles: [PromptDescription.Run.Style] = []
    for piece in pieces {
      switch (piece.style, piece.turn) {
      case (let style?, .begin): styles.append(style)
      case (let style?, .end): styles.lastIndex(of: style).map { _ = styles.remove(at: $0) }
      default: runs.append(piece.text, styles + piece.styles)
      }
    }
    return runs
  }
}

extension Unicode.Scalar {
  fileprivate var isPunctuation: Bool { (0x21...0x7E).contains(value) && !isWordPart }
  fileprivate var isWordPart: Bool { properties.isAlphabetic || properties.numericType != nil }
}
