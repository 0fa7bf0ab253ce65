/// Checkpoints the write-ahead log on its own thread, so no commit waits for it. A failure is retried once the log has grown.
final class AuditCheckpointer: Sendable {
  private struct State {
    var isUnderWay = false
    var hasRest = false
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

  /// Whether a checkpoint has ended since the last call. The caller then moves the rest, so that the log can start over.
  func takeRest() -> Bool {
    state.withLock { state in
      defer { state.hasRest = false }
      return state.hasRest
    }
  }

  func end() async {
    await withCheckedContinuation { continuation in executor.perform { continuation.resume() } }
  }
}
