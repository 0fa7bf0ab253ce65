/// The key of an environment value, with the value's default.
///
/// ```swift
/// private struct GreetingKey: EnvironmentKey {
///   static let defaultValue = "Hello"
/// }
///
/// extension EnvironmentValues {
///   nonisolated var greeting: String {
///     get { self[GreetingKey.self] }
///     set { self[GreetingKey.self] = newValue }
///   }
/// }
/// ```
public protocol EnvironmentKey: SendableMetatype {
  associatedtype Value: Sendable

  static var defaultValue: Value { get }
}
