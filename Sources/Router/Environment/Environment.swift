/// Reads a value from the environment: `@Environment(\.showSheet) private var showSheet`.
///
/// It reads each time it is used, from the environment of the task that uses it, so that it works in structs, classes and
/// actors that were made elsewhere. A class that is `Sendable` by itself cannot have a property wrapper, which Swift stores in
/// a variable; there, `private let showSheet = Environment(\.showSheet)` and `showSheet.wrappedValue` do the same.
@propertyWrapper
public struct Environment<Value>: Sendable {
  private let keyPath: any KeyPath<EnvironmentValues, Value> & Sendable

  /// - Parameter keyPath: Where the value is.
  public init(_ keyPath: any KeyPath<EnvironmentValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The value in the environment of the running task.
  public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
