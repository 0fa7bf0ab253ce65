/// Moves what the write-ahead log holds into the database, on a thread of its own: nobody's answer waits for it.
///
/// It has a connection for as long as a checkpoint takes. A checkpoint that fails is none: the log keeps what it has, and the
/// next one is tried when it has grown.
final class AuditCheckpointer: Sendable {
  private struct State {
    var isUnderWay = false
    /// Whether one has ended whose rest nobody has taken.
    var hasRest = false
    /// How many pages the log had when the last one was begun.
    var lastPages = 0
  }

  /// So many pages are worth a checkpoint: 16 MB.
  static let pages = 4000

  private let path: String
  private let executor = ThreadExecutor()
  private let state = Mutex(State())

  init(path: String) {
    self.path = path
  }

  /// The log has so many pages now. Returns at once.
  func grown(to pages: Int) {
    let isDue = state.withLock { state in
      // The log has begun anew.
      if pages < state.lastPages { state.lastPages = 0 }
      guard !state.isUnderWay, pages >= state.lastPages + Self.pages else { return false }
      state.isUnderWay = true
      state.lastPages = pages
      return true
    }
    guard isDue else { return }
    executor.perform { [self] in
      try? SQLiteConnection(path: path, mode: .existing).checkpoint()
      state.withLock { state in
        state.isUnderWay = false
        state.hasRest = true
      }
    }
  }

  /// Whether one has ended since this was last asked, so that there is little left to move, what was written beside it, and the
  /// log can begin anew: that is for the caller to do.
  func takeRest() -> Bool {
    state.withLock { state in
      defer { state.hasRest = false }
      return state.hasRest
    }
  }

  /// Returns when none is under way.
  func end() async {
    await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
  }
}
