/// Builds the fields of a form, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum FormStateBuilder {
  public static func buildExpression(_ field: some FormField) -> [FormState.Field] { [FormState.Field(field.property)] }
  public static func buildExpression(_ fields: [FormState.Field]) -> [FormState.Field] { fields }
  public static func buildBlock(_ parts: [FormState.Field]...) -> [FormState.Field] { parts.flatMap(\.self) }
  public static func buildArray(_ parts: [[FormState.Field]]) -> [FormState.Field] { parts.flatMap(\.self) }
  public static func buildOptional(_ part: [FormState.Field]?) -> [FormState.Field] { part ?? [] }
  public static func buildEither(first part: [FormState.Field]) -> [FormState.Field] { part }
  public static func buildEither(second part: [FormState.Field]) -> [FormState.Field] { part }
  public static func buildLimitedAvailability(_ part: [FormState.Field]) -> [FormState.Field] { part }
}
