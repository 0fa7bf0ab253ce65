extension TextState: ExpressibleByStringInterpolation {
  /// Text without a style.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The text that was put together.
  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.text
  }

  /// Puts a text together; a text inside it keeps its styles.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TextState("")

    /// Starts with nothing.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Text without a style.
    public mutating func appendLiteral(_ literal: String) {
      text += TextState(literal)
    }

    /// A text with its styles.
    public mutating func appendInterpolation(_ value: TextState) {
      text += value
    }

    /// Anything else, as a string would have it.
    public mutating func appendInterpolation(_ value: some Any) {
      text += TextState(String(describing: value))
    }
  }
}
