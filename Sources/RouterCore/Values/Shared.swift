/// A value behind a reference, for a member that few owners have: copies of an owner share it, and stay small without it.
final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
