/// Whether the rows include all committed events. While they do not, a timer runs that writes them.
enum RowState: Sendable, Hashable {
  case complete
  /// Complete before the timer of earlier events has fired.
  case completeEarly
  case incomplete
  /// Incomplete, because they could not be written at the last attempt.
  case failed

  var areComplete: Bool { self == .complete || self == .completeEarly }

  /// Events were committed. Returns whether to start a timer.
  mutating func committed() -> Bool {
    defer { if areComplete { self = .incomplete } }
    return self == .complete
  }

  /// Writing rows has succeeded or failed. Returns whether to start a timer.
  ///
  /// - Parameter isTimed: Whether the timer has caused it.
  mutating func attempted(_ isDone: Bool, isTimed: Bool) -> Bool {
    let hasTimer = self != .complete && !isTimed
    self = isDone ? (hasTimer ? .completeEarly : .complete) : .failed
    return !isDone && !hasTimer
  }
}
