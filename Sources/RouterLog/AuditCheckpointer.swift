import RouterCore
import RouterSystem

/// Checkpoints the write-ahead log on its own thread. Commits wait only for the pages written during a checkpoint, which the
/// writer copies. A failed checkpoint is retried once the log has grown.
final class AuditCheckpointer: Sendable {
  private struct State {
    var isUnderWay = false
    var hasRest = false
    var lastPages = 0
  }

  /// The growth that triggers a checkpoint, in pages: 16 MB.
  static let pages = 4000

  private let path: String
  private let executor: any WorkThread
  private let state = Mutex(State())

  init(path: String, executor: any WorkThread) {
    (self.path, self.executor) = (path, executor)
  }

  func grown(to pages: Int) {
    let isDue = state.withLock { state in
      // The write-ahead log was reset.
      if pages < state.lastPages { state.lastPages = 0 }
      guard !state.isUnderWay, pages >= state.lastPages + Self.pages else { return false }
      state.isUnderWay = true
      state.lastPages = pages
      return true
    }
    guard isDue else { return }
    executor.perform { [self] in
      let isDone = (try? SQLiteConnection(path: path, mode: .existing).checkpoint()) != nil
      state.withLock { state in
        state.isUnderWay = false
        if isDone { state.hasRest = true }
      }
    }
  }

  /// Returns whether a checkpoint has succeeded since the last call. If so, the caller checkpoints the remaining pages so that
  /// the log can restart from its beginning.
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
