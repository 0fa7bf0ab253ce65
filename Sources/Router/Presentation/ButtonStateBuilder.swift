/// Builds the buttons of an alert or a confirmation dialog, with `if`, `switch`, `for` and arrays.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  /// One button.
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] { [button] }
  /// An array of buttons.
  public static func buildExpression(_ buttons: [ButtonState<Action>]) -> [ButtonState<Action>] { buttons }
  /// A button that may be missing.
  public static func buildExpression(_ button: ButtonState<Action>?) -> [ButtonState<Action>] { button.map { [$0] } ?? [] }
  /// Statements one after the other.
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] { parts.flatMap(\.self) }
  /// The turns of a `for`.
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] { parts.flatMap(\.self) }
  /// An `if` without an `else`.
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] { part ?? [] }
  /// The first branch of an `if` or a `switch`.
  public static func buildEither(first part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
  /// The other branch of an `if` or a `switch`.
  public static func buildEither(second part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
  /// An `if #available`.
  public static func buildLimitedAvailability(_ part: [ButtonState<Action>]) -> [ButtonState<Action>] { part }
}
