/// A reference to a value, for rarely used members: copies of the owner share it, and owners without it stay small.
final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
