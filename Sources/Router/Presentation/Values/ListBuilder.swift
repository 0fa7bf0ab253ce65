/// Builds a list with `if`, `switch`, `for` and arrays. The base of ``ButtonStateBuilder`` and ``FormStateBuilder``.
public protocol ListBuilder {
  associatedtype Element
}

extension ListBuilder {
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
  public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
  public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  public static func buildEither(first part: [Element]) -> [Element] { part }
  public static func buildEither(second part: [Element]) -> [Element] { part }
  public static func buildLimitedAvailability(_ part: [Element]) -> [Element] { part }
}
