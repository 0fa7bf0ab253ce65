/// Builds the buttons of an alert or a confirmation dialog, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] { [button] }
  public static func buildExpression(_ buttons: [ButtonState<Action>]) -> [ButtonState<Action>] { buttons }
  public static func buildExpression(_ button: ButtonState<Action>?) -> [ButtonState<Action>] { button.map { [$0] } ?? [] }
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] { parts.flatMap(\.self) }
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] { parts.flatMap(\.self) }
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] { part ?? [] }
  public static func buildEither(first part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
  public static func buildEither(second part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
  public static func buildLimitedAvailability(_ part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
}
