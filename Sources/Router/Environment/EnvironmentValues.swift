/// The values that ``withEnvironment(_:_:operation:)`` set for a task, and the defaults of all others. Child tasks inherit them,
/// detached tasks start from the defaults.
public struct EnvironmentValues: Sendable {
  // Objects, since to cast one costs a third of what it costs to cast an `any Sendable`: Benchmarks/EnvironmentLookup.
  private var values: [ObjectIdentifier: any AnyObject & Sendable] = [:]

  /// Nothing but defaults.
  public init() {}

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // A box keeps a value that is `nil` apart from one that was not set.
      (values[ObjectIdentifier(key)] as? Box<Key.Value>)?.value ?? Key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = Box(value: newValue) }
  }

  /// What is around the running code.
  public static var current: EnvironmentValues { carried }

  @TaskLocal static var carried = EnvironmentValues()

  private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(value: Value) { self.value = value }
  }
}
