/// The values of a task, set by ``withEnvironment(_:_:operation:)``, and the defaults of all others. Child tasks inherit them;
/// detached tasks start from the defaults.
public struct EnvironmentValues: Sendable {
  // Stores objects, because casting an object costs a third of casting an `any Sendable`: Benchmarks/EnvironmentLookup.
  private var values: [ObjectIdentifier: any AnyObject & Sendable] = [:]

  /// Creates an environment of default values.
  public init() {}

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // The box distinguishes a `nil` value from an unset one.
      (values[ObjectIdentifier(key)] as? Box<Key.Value>)?.value ?? Key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = Box(value: newValue) }
  }

  /// The environment of the running task.
  public static var current: EnvironmentValues { carried }

  @TaskLocal static var carried = EnvironmentValues()

  private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(value: Value) { self.value = value }
  }
}
