/// Text with styles, as a value.
///
/// ```swift
/// TextState("Delete \(TextState(file.name).bold()) for good?")
/// ```
///
/// Two texts are equal when they read and look the same, however they were put together. The wire and the log have the
/// text without its styles (``plainText``); a presenter in the same process renders the styles that it can, from
/// ``PresentationRequest/styledTitle`` and its neighbours.
public struct TextState: Sendable, Hashable {
  /// A stretch of text in one style.
  public struct Run: Sendable, Hashable {
    /// What it says; never empty.
    public let text: String
    /// How it looks.
    public let style: Style

    init(_ text: String, style: Style) {
      self.text = text
      self.style = style
    }
  }

  /// How a stretch of text looks.
  public struct Style: OptionSet, Sendable, Hashable {
    /// One bit for each style.
    public let rawValue: UInt8

    /// The styles of a set of bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bold.
    public static let bold = Style(rawValue: 1 << 0)
    /// Italics.
    public static let italic = Style(rawValue: 1 << 1)
    /// Struck through.
    public static let strikethrough = Style(rawValue: 1 << 2)
    /// Letters of one width.
    public static let monospaced = Style(rawValue: 1 << 3)
  }

  /// The text in order. No run is empty and no two neighbours have the same style, so that equality is that of the content.
  public private(set) var runs: [Run] = []

  /// Text without a style.
  public init(_ text: some StringProtocol) {
    append(String(text), style: [])
  }

  /// What it says, without styles.
  public var plainText: String { runs.lazy.map(\.text).joined() }

  /// Whether it says nothing.
  public var isEmpty: Bool { runs.isEmpty }

  /// One text after the other, each in its own styles.
  public static func + (left: TextState, right: TextState) -> TextState {
    var sum = left
    sum.append(right)
    return sum
  }

  /// Adds a text at the end.
  public static func += (left: inout TextState, right: TextState) {
    left.append(right)
  }

  /// The text in bold.
  public func bold(_ isActive: Bool = true) -> TextState { styled(.bold, isActive) }

  /// The text in italics.
  public func italic(_ isActive: Bool = true) -> TextState { styled(.italic, isActive) }

  /// The text struck through.
  public func strikethrough(_ isActive: Bool = true) -> TextState { styled(.strikethrough, isActive) }

  /// The text in letters of one width.
  public func monospaced(_ isActive: Bool = true) -> TextState { styled(.monospaced, isActive) }

  /// Turns a style on or off in the whole text.
  private func styled(_ style: Style, _ isActive: Bool) -> TextState {
    var copy = TextState("")
    for run in runs { copy.append(run.text, style: isActive ? run.style.union(style) : run.style.subtracting(style)) }
    return copy
  }

  private mutating func append(_ other: TextState) {
    for run in other.runs { append(run.text, style: run.style) }
  }

  fileprivate mutating func append(_ text: String, style: Style) {
    guard !text.isEmpty else { return }
    if let last = runs.last, last.style == style {
      runs[runs.count - 1] = Run(last.text + text, style: style)
    } else {
      runs.append(Run(text, style: style))
    }
  }
}

extension TextState: CustomStringConvertible {
  /// The text without its styles.
  public var description: String { plainText }
}

extension String {
  /// What a text says, without its styles.
  public init(_ text: TextState) {
    self = text.plainText
  }
}

extension TextState: Codable {
  private enum CodingKeys: String, CodingKey {
    case text, style
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text)
      return
    }
    self.init("")
    var runs = try decoder.unkeyedContainer()
    while !runs.isAtEnd {
      let run = try runs.nestedContainer(keyedBy: CodingKeys.self)
      var style: Style = []
      for name in try run.decodeIfPresent([String].self, forKey: .style) ?? [] {
        guard let one = Style.named.first(where: { $0.name == name }) else {
          throw DecodingError.dataCorruptedError(forKey: .style, in: run, debugDescription: "not a style of text")
        }
        style.insert(one.style)
      }
      append(try run.decode(String.self, forKey: .text), style: style)
    }
  }

  /// A string where there are no styles, else an array of `{"text": "…", "style": ["bold"]}`.
  public func encode(to encoder: any Encoder) throws {
    guard runs.contains(where: { !$0.style.isEmpty }) else {
      var container = encoder.singleValueContainer()
      return try container.encode(plainText)
    }
    var container = encoder.unkeyedContainer()
    for run in runs {
      var member = container.nestedContainer(keyedBy: CodingKeys.self)
      try member.encode(run.text, forKey: .text)
      let names = Style.named.filter { run.style.contains($0.style) }.map(\.name)
      if !names.isEmpty { try member.encode(names, forKey: .style) }
    }
  }
}

extension TextState.Style {
  /// The styles with their names in the Codable form.
  fileprivate static let named: [(name: String, style: Self)] = [
    ("bold", .bold), ("italic", .italic), ("strikethrough", .strikethrough), ("monospaced", .monospaced),
  ]
}
