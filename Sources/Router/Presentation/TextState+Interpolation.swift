extension TextState: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self.init(value)
  }

  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.text
  }

  /// Puts a text together; a text inside it keeps its styles.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = TextState("")

    public init(literalCapacity: Int, interpolationCount: Int) {}

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
