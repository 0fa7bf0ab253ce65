/// Reads a value from the environment of the running task: `@Environment(\.showSheet) private var showSheet`.
///
/// In a `Sendable` class, use `private let showSheet = Environment(\.showSheet)` and `showSheet.wrappedValue`.
@propertyWrapper
public struct Environment<Value>: Sendable {
  private let keyPath: any KeyPath<EnvironmentValues, Value> & Sendable

  public init(_ keyPath: any KeyPath<EnvironmentValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The value in the environment of the running task.
  public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
