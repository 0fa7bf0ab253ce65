/// Builds the fields of a form, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum FormStateBuilder {
  /// One field.
  public static func buildExpression(_ field: some FormField) -> [FormState.Field] { [FormState.Field(field.property)] }
  /// An array of fields.
  public static func buildExpression(_ fields: [FormState.Field]) -> [FormState.Field] { fields }
  /// Statements one after the other.
  public static func buildBlock(_ parts: [FormState.Field]...) -> [FormState.Field] { parts.flatMap(\.self) }
  /// The turns of a `for`.
  public static func buildArray(_ parts: [[FormState.Field]]) -> [FormState.Field] { parts.flatMap(\.self) }
  /// An `if` without an `else`.
  public static func buildOptional(_ part: [FormState.Field]?) -> [FormState.Field] { part ?? [] }
  /// The first branch of an `if` or a `switch`.
  public static func buildEither(first part: [FormState.Field]) -> [FormState.Field] { part }
  /// The other branch of an `if` or a `switch`.
  public static func buildEither(second part: [FormState.Field]) -> [FormState.Field] { part }
  /// An `if #available`.
  public static func buildLimitedAvailability(_ part: [FormState.Field]) -> [FormState.Field] { part }
}
