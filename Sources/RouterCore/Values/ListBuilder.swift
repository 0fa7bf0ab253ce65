/// Builds the buttons of an alert or a confirmation dialog, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum ListBuilder<Element> {
  public static func buildExpression(_ element: Element) -> [Element] { [element] }
  /// An element that may be missing.
  public static func buildExpression(_ element: Element?) -> [Element] { element.map { [$0] } ?? [] }
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
  public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
  public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  public static func buildEither(first part: [Element]) -> [Element] { part }
  public static func buildEither(second part: [Element]) -> [Element] { part }
  public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}
