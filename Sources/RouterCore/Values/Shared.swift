import Synchronization

/// A reference to a value, for rarely used members: copies of the owner share it, and owners without it stay small.
final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value
  private let kept = AtomicLazyReference<KeptText>()

  init(_ value: Value) { self.value = value }

  /// Returns the text of the first call.
  func text(_ make: () -> JSONText) -> JSONText { (kept.load() ?? kept.storeIfNil(KeptText(make()))).json }

  static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

final class KeptText: Sendable {
  let json: JSONText

  init(_ json: JSONText) { self.json = json }
}
