/// A moment on both clocks: the boot clock, which deadlines go by, and the wall clock, which the record goes by.
package struct Moment: Sendable, Hashable {
  /// The time since some fixed moment; it counts the machine's sleep and never goes back.
  package var boot: Duration
  package var wall: Timestamp
}

extension Moment {
  /// For rules whose times do not matter.
  static let zero = Moment(boot: .zero, wall: Timestamp(milliseconds: 0))
}

extension ProcessIdentity {
  /// For rules that ignore the process.
  static let noProcess = ProcessIdentity(uid: 0, gid: 0, pid: 0)
}
