/// Reads a value from the environment: `@Environment(\.showSheet) private var showSheet`.
///
/// Each use reads from the environment of the running task. A `Sendable` class cannot have property wrappers; there, use
/// `private let showSheet = Environment(\.showSheet)` and `showSheet.wrappedValue`.
@propertyWrapper
public struct Environment<Value>: Sendable {
  private let keyPath: any KeyPath<EnvironmentValues, Value> & Sendable

  public init(_ keyPath: any KeyPath<EnvironmentValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The value in the environment of the running task.
  public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
