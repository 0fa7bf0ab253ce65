/// How many answers a flow's sheet was given, and how many of them somebody has taken.
final class AnswerTally: Sendable {
  private struct State {
    var given = 0
    var taken = 0
  }

  private let state = Mutex(State())

  func give() {
    state.withLock { $0.given += 1 }
  }

  func take() {
    state.withLock { $0.taken += 1 }
  }

  /// How many were given, and how many of those nobody has taken.
  var counts: (given: Int, unread: Int) {
    state.withLock { ($0.given, $0.given - $0.taken) }
  }
}
