/// Whether the rows include all committed events. Otherwise a timer is running that writes them.
enum RowState: Sendable, Hashable {
  case complete
  /// Complete, with the timer of earlier events still pending.
  case completeEarly
  case incomplete
  /// Incomplete, because the last attempt to write failed.
  case failed

  var areComplete: Bool { self == .complete || self == .completeEarly }

  /// Handles a commit of events. Returns whether to start a timer.
  mutating func committed() -> Bool {
    defer { if areComplete { self = .incomplete } }
    return self == .complete
  }

  /// Handles the result of writing rows. Returns whether to start a timer.
  ///
  /// - Parameter isTimed: Whether the timer triggered the write.
  mutating func attempted(_ isDone: Bool, isTimed: Bool) -> Bool {
    let hasTimer = self != .complete && !isTimed
    self = isDone ? (hasTimer ? .completeEarly : .complete) : .failed
    return !isDone && !hasTimer
  }
}
