/// Moves what the write-ahead log holds into the database, on a thread of its own: nobody's answer waits for it.
///
/// It has a connection for as long as a checkpoint takes. A checkpoint that fails is none: the log keeps what it has, and the
/// next one is tried when it has grown.
final class AuditCheckpointer: Sendable {
  private struct State {
    var isUnderWay = false
    /// How many pages the log had when the last one was begun.
    var lastPages = 0
  }

  /// So many pages are worth a checkpoint, as SQLite has it by itself: 4 MB.
  static let pages = 1000
  /// Beyond so many the writer helps: the log begins anew only when all of it has been moved, and a writer that never pauses has
  /// always added to it.
  static let manyPages = 16 * pages

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
      state.withLock { $0.isUnderWay = false }
    }
  }
}
