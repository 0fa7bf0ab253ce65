/// A time on both clocks: the boot clock for deadlines, and the wall clock for the log.
package struct Moment: Sendable, Hashable {
  /// The time since boot, including suspend; never decreases.
  package var boot: Duration
  package var wall: Timestamp

  package init(boot: Duration, wall: Timestamp) {
    (self.boot, self.wall) = (boot, wall)
  }
}

extension Moment {
  /// A placeholder for rules that ignore the time.
  package static let zero = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))
}

extension ProcessIdentity {
  /// A placeholder for rules that ignore the process.
  package static let noProcess = ProcessIdentity(uid: 0, gid: 0, pid: 0)
}

extension Duration {
  /// Returns the earlier of two times; `nil` if both are `nil`.
  static func earlier(_ left: Duration?, _ right: Duration?) -> Duration? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }
}
